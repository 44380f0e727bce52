package promotion

import (
	"path"
	"strings"
)

// language is a set of the ways to read source.
type language uint8

const (
	languagePython language = 1 << iota // name(…)
	languageSlash                       // JavaScript, TypeScript, Go: likewise, but comments begin with //
	languageShell                       // the first word of a command
	languageCode   = languagePython | languageSlash
	languageBoth   = languageCode | languageShell
)

// sourceOf says how a file of that name is read: as Markdown, of which fenced
// code is source, or whole as source of a language. What isn't known is source
// of any language. Data has no source, and text that isn't Markdown is read as
// if it were, since an agent does so.
func sourceOf(name string) (markdown bool, whole language) {
	extension := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	switch extension {
	case "md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "mdc", "qmd", "rmd", "txt", "text":
		return true, 0
	case "mdx":
		return true, languageCode // it imports and defines between the paragraphs
	case "html", "htm", "xhtml", "vue", "svelte", "astro", "xml", "svg":
		return false, languageCode
	case "json", "jsonl", "ndjson", "geojson", "ipynb", "yaml", "yml", "toml", "ini", "cfg", "properties", "csv", "tsv", "css", "scss", "less", "lock", "sum", "mod", "xsd", "dtd", "po",
		"png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tiff", "pdf", "woff", "woff2", "ttf", "otf", "eot", "mp3", "mp4", "wav", "docx", "xlsx", "pptx":
		return false, 0
	}
	return false, languageOf(extension)
}

// languageOf returns the language of a file extension or of a fence's tag.
func languageOf(tag string) language {
	switch tag {
	case "py", "pyi", "pyw", "pyx", "py2", "py3", "python", "python2", "python3", "ipython", "ipython3", "pycon", "python-repl", "sage", "gyp":
		return languagePython
	case "js", "mjs", "cjs", "jsx", "javascript", "javascriptreact", "ecmascript", "es6", "node", "nodejs", "deno", "bun",
		"ts", "mts", "cts", "tsx", "typescript", "typescriptreact",
		"go", "golang":
		return languageSlash
	case "sh", "bash", "zsh", "ksh", "ash", "dash", "fish", "csh", "tcsh", "shell", "shellscript", "shell-script", "bats", "command",
		"console", "terminal", "shell-session", "shellsession", "sh-session", "bash-session", "zsh-session", "shellconsole":
		return languageShell
	default:
		return languageBoth
	}
}
