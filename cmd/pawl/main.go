// Command pawl is a fail-closed control point between an automated decision
// and the world. Run "pawl --help" for what it does.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/pawlgate/pawl/policy"
)

func main() {
	// A reader that goes away is an error to report, not a reason to die in
	// silence: without this, a closed pipe ends the process.
	signal.Ignore(syscall.SIGPIPE)
	// What a stream leaves behind is small and short-lived: collecting it less
	// often costs some ten MB and saves a tenth of the time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
	p := &program{ctx: context.Background(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(p.run(os.Args[1:]))
}

// Exit codes, the same for every command.
const (
	exitOK         = 0 // done; of one decision: auto_apply
	exitFailure    = 1 // something failed, or a check didn't pass
	exitUsage      = 2 // the call or the input is wrong
	exitHuman      = 3 // a person is needed
	exitAutoReject = 4
)

// interruptible returns a context that Ctrl-C or SIGTERM cancels. A second one
// ends the process: the output may be stuck.
func (p *program) interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(p.ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// program is the command line with its surroundings, so that tests can give it
// others.
type program struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
}

// commands is the whole command line.
type commands struct {
	Decide decideCmd `cmd:"" help:"Decide inputs by a threshold policy: one (.json) or a stream (.jsonl, .csv)."`
	Policy struct {
		Check  checkCmd  `cmd:"" help:"Check policy files: every problem with its place, and warnings."`
		Test   testCmd   `cmd:"" help:"Run the tests that policy files carry, and report what they cover."`
		Replay replayCmd `cmd:"" help:"Decide a stream under two policies and show what would change."`
		Diff   diffCmd   `cmd:"" help:"Compare two policies: does B make anything more automatic than A?"`
		Schema schemaCmd `cmd:"" help:"Print the JSON Schema of policy files."`
	} `cmd:"" help:"Work on policy files."`
	Case struct {
		Decide   caseDecideCmd   `cmd:"" help:"Decide regulated cases by a case policy: one (.json) or a stream (.jsonl)."`
		Validate caseValidateCmd `cmd:"" help:"Check an output of a case gate or of a model: schema, contradictions, warnings."`
		Eval     caseEvalCmd     `cmd:"" help:"Evaluate a case policy on labelled cases."`
	} `cmd:"" help:"Decide or escalate regulated cases."`
	Item    itemCmds   `cmd:"" help:"Submit and review items in a database."`
	Permit  permitCmds `cmd:"" help:"Redeem permits to act on ended items, and report."`
	Gate    gateCmds   `cmd:"" help:"Tighten gates at once; loosen them with a second person."`
	Promote struct {
		Scan     promoteScanCmd     `cmd:"" help:"Scan skills for what should make a person look."`
		Snapshot promoteSnapshotCmd `cmd:"" help:"Fix a skill as it is now: its digest and, with --to, its bytes."`
		Decide   promoteDecideCmd   `cmd:"" help:"Decide whether a skill may go live without a person."`
		Sign     promoteSignCmd     `cmd:"" help:"Sign evidence about a skill, for those who hold an evidence key."`
		Apply    promoteApplyCmd    `cmd:"" help:"Decide on a snapshot and, if no person is needed, put it in place."`
	} `cmd:"" help:"Let skills that an agent made go live, or send them to a person."`
	Ledger  ledgerCmds `cmd:"" help:"Verify, export, prove and watch the tamper-evident log."`
	Backup  backupCmd  `cmd:"" help:"Copy a database while it is used, and verify the copy."`
	Restore restoreCmd `cmd:"" help:"Put a backup in place. Permits that were open then become void."`
	Vectors struct {
		Run    vectorsRunCmd    `cmd:"" help:"Put the conformance vectors to this program, or to another implementation."`
		Answer vectorsAnswerCmd `cmd:"" help:"Answer such vectors, line by line, as another implementation would."`
	} `cmd:"" help:"Judge implementations of the gate by the conformance vectors."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

const description = `A fail-closed control point between an automated decision and the world.

Exit codes: 0 done (one decision: auto_apply), 1 failure or a check that didn't
pass, 2 wrong call or input, 3 a person is needed, 4 auto_reject.`

// exit is an error that only carries an exit code: what there was to say has
// been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is the caller's mistake.
type usageError struct{ error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// helpShown stops the parser after it has printed help.
type helpShown struct{}

func (p *program) run(args []string) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case helpShown:
			code = exitOK
		default: // a bug: it must end neither as auto_apply nor as an answered stream
			p.say("pawl: internal error, please report it: %v\n%s", r, debug.Stack())
			code = exitFailure
		}
	}()
	var c commands
	parser, err := kong.New(&c,
		kong.Name("pawl"), kong.Description(description),
		kong.Writers(p.stdout, p.stderr),
		kong.Exit(func(int) { panic(helpShown{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Bind(p),
	)
	if err != nil {
		return p.fail(err)
	}
	for _, arg := range args {
		if !utf8.ValidString(arg) { // the parser would make another one of it
			return p.fail(usagef("the argument %q isn't UTF-8: rename the file, or name the folder that it is in", arg))
		}
	}
	kctx, err := parser.Parse(args)
	if err != nil {
		return p.fail(usagef("%s", strings.Replace(err.Error(), `"EOL" (<EOL>)`, "nothing", 1)))
	}
	return p.fail(kctx.Run(p))
}

// fail says what went wrong and returns the exit code for it.
func (p *program) fail(err error) int {
	var code exit
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		p.sayError(err)
		return exitUsage
	default:
		p.sayError(err)
		return exitFailure
	}
}

// sayError says what went wrong, in one line, so that no file's name can say
// something of its own.
func (p *program) sayError(err error) {
	p.say("pawl: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(p *program) error {
	return p.print([]byte(policy.Engine + "\n"))
}
