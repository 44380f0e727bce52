// Package llm asks a language model for a second opinion, over any endpoint
// that speaks the OpenAI chat-completions protocol: vLLM, the server of
// llama.cpp, Ollama, a hosted service.
//
// The operator's configuration ([Parse]) gives each model a name, and a policy
// can say nothing but that name. A [Client] asks one of them; a [Recorder]
// writes down what it answered and a [Replay] answers from that file, without a
// network.
//
// Nothing that a server does is an error: [Asker.Ask] returns an [Answer] with
// either a text or a fault in words, never both, within the deadline. What the
// text is worth is for the caller to judge. The package repairs nothing: an
// envelope that isn't exactly one well-formed completion is a fault.
//
// The server, and whatever the model was told to say, are not trusted. Words
// of theirs stand in [Answer.Text] and, bounded, in [Answer.Model], and nowhere
// else; faults and the trail are made of this package's own words, of numbers
// and of the configuration. The API key is read from the environment and goes
// into one header.
package llm
