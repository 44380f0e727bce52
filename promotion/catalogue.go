package promotion

// Catalogue is a universe of tool names, and what their effects are.
type Catalogue struct{}
