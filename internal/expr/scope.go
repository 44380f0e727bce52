package expr

// Kind is what a value is, as far as it is known before there is one.
type Kind uint8

// The kinds. Dyn is known at run time only.
const (
	Dyn Kind = iota
	Boolean
	Number  // any number, read as a double
	Integer // an integer
	Text
	Null
	Other // a list, a map, a timestamp …: known, but of no further interest
)

// String returns the kind as it stands in messages.
func (k Kind) String() string {
	return [...]string{"a value", "a boolean", "a number", "a number", "a string", "null", "a list, map or time"}[k]
}

// Shape is what a variable is.
type Shape uint8

// The shapes of variables.
const (
	NumberVar  Shape = iota // one number
	StringsVar              // a list of strings
	MapVar                  // a map from names to values
	TextVar                 // one text
	ListVar                 // a list of objects
)

// Var is a variable that expressions may read.
type Var struct {
	Name  string
	Shape Shape
	// Elem is the kind of a map's values.
	Elem Kind
	// Fields, if not nil, lists all names that may be read: keys of a map,
	// strings of a list. A number, a text or a list of objects can't be read
	// unless its own name is among them.
	Fields map[string]Field
	// Items is what is known of each entry of a list of objects, and of each
	// value of a map whose Fields aren't listed; nil: nothing.
	Items *Field
	// Walkable says that the variable may be read as a whole although its names
	// are listed: it holds no others.
	Walkable bool
	// Unknown says what a name is that isn't among the fields: "isn't declared
	// in signals".
	Unknown string
}

// Field is what is known of one declared name.
type Field struct {
	Kind Kind
	// Bounded says that only values in [Min, Max] pass.
	Bounded  bool
	Min, Max float64
	// Fields, if not nil, lists all names that may be read in an object.
	Fields map[string]Field
	// Items is what is known of each entry of a list; nil: nothing.
	Items *Field
}

// Vars gives the variables their values during one evaluation. A name without
// a value makes what reads it unknown. It is used by one goroutine at a time.
type Vars interface {
	Lookup(name string) (value any, ok bool)
}
