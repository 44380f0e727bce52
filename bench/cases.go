package bench

import "github.com/pawlgate/pawl/threshold"

// Case is one input and the verdict that it must get.
type Case struct {
	Fraud   float64  // scores.fraud_ok
	Text    float64  // scores.text_ok
	Flags   []string // flags
	Linked  int64    // meta.linkedCount
	Amount  float64  // meta.amount, which no rule reads
	Country string   // meta.country, which no rule reads
	Want    threshold.Verdict
}

const (
	auto  = threshold.AutoApply
	human = threshold.RouteToHuman
)

// Clear is the input on which nothing speaks against automation: every
// condition has to be looked at, and none holds.
var Clear = Case{0.991, 0.953, []string{"new_device"}, 3, 20.5, "DE", auto}

// Cases is the mixture, with verdicts worked out by hand from the policy: a
// person decides if fraud_ok is below 0.98 or text_ok below 0.90, if the flag
// vip is present, or if linkedCount is below 1. (text_ok below 0.8 is a rule as
// well, which adds a reason to a verdict that the bands have settled.) Since
// the policy doesn't switch auto_reject on, no third verdict can come out.
var Cases = []Case{
	// Clean traffic.
	{0.9930, 0.9710, nil, 2, 12.5, "DE", auto},
	{0.9991, 0.9200, []string{"new_device"}, 1, 80, "FR", auto},
	{0.9875, 0.9555, nil, 4, 230.75, "DE", auto},
	{0.9902, 0.9034, []string{"repeat"}, 7, 19.99, "NL", auto},
	{1, 1, nil, 12, 5, "AT", auto},
	{0.9812, 0.9990, []string{"repeat", "app"}, 3, 49.9, "DE", auto},
	{0.9967, 0.9418, []string{"app"}, 1, 15, "ES", auto},
	{0.9944, 0.9873, nil, 5, 310, "IT", auto},
	{0.9999, 0.9107, []string{"web"}, 2, 8.25, "DE", auto},
	{0.9838, 0.9666, nil, 9, 41, "PL", auto},
	{0.9921, 0.9384, []string{"gift", "web"}, 2, 25, "DE", auto},
	{0.9890, 0.9712, nil, 1, 75.4, "BE", auto},
	{0.9955, 0.9951, []string{"app"}, 6, 18, "SE", auto},
	{0.9823, 0.9240, []string{"repeat"}, 3, 133.3, "DE", auto},
	{0.9976, 0.9602, nil, 2, 64, "DK", auto},
	{0.9918, 0.9077, []string{"new_device", "web"}, 1, 29.9, "DE", auto},
	{0.9860, 0.9815, nil, 22, 99, "FR", auto},
	{0.9989, 0.9333, []string{"app"}, 4, 10, "DE", auto},
	{0.9907, 0.9529, nil, 3, 55.5, "CZ", auto},
	{0.9846, 0.9781, []string{"repeat"}, 8, 5.99, "DE", auto},
	{0.9933, 0.9166, nil, 1, 210, "AT", auto},
	{0.9978, 0.9642, []string{"gift"}, 2, 35, "DE", auto},
	{0.9815, 0.9905, nil, 5, 17.2, "IE", auto},
	{0.9962, 0.9273, []string{"app", "repeat"}, 3, 44, "DE", auto},
	{0.9899, 0.9488, nil, 2, 62.1, "PT", auto},
	{0.9926, 0.9854, []string{"web"}, 11, 120, "DE", auto},
	{0.9853, 0.9021, nil, 1, 7.5, "FI", auto},
	{0.9984, 0.9737, []string{"new_device"}, 4, 88.8, "DE", auto},
	// On the bounds, which belong to the higher band, and beside them.
	{0.98, 0.90, nil, 1, 50, "DE", auto},
	{0.98, 0.9001, []string{"app"}, 2, 50, "DE", auto},
	{0.9801, 0.90, nil, 3, 50, "FR", auto},
	{0.9799, 0.95, nil, 3, 50, "DE", human},
	{0.99, 0.8999, nil, 3, 50, "DE", human},
	{0.9799, 0.8999, []string{"web"}, 2, 50, "DE", human},
	{0.60, 0.95, nil, 2, 50, "DE", human},
	{0.5999, 0.95, nil, 2, 50, "DE", human},
	{0.99, 0.80, nil, 2, 50, "DE", human},
	{0.99, 0.7999, nil, 2, 50, "DE", human},
	{0.99, 0.20, []string{"app"}, 2, 50, "DE", human},
	{0.99, 0.1999, []string{"app"}, 2, 50, "DE", human},
	// Flags that are, and aren't, the one that counts.
	{0.9950, 0.9700, []string{"vip"}, 4, 900, "DE", human},
	{0.9870, 0.9300, []string{"new_device", "vip"}, 2, 45, "CH", human},
	{0.9990, 0.9900, []string{"vip", "repeat", "app"}, 6, 1500, "DE", human},
	{0.9950, 0.9700, []string{"VIP"}, 4, 90, "DE", auto},
	{0.9912, 0.9412, []string{"vip_guest", "svip"}, 2, 90, "DE", auto},
	// Linked accounts.
	{0.9940, 0.9500, nil, 0, 33, "DE", human},
	{0.9890, 0.9250, []string{"new_device"}, 0, 400, "RO", human},
	{0.9990, 0.9990, nil, -1, 20, "DE", human},
	{0.9934, 0.9622, []string{"repeat"}, 1, 60, "DE", auto},
	// One score in doubt.
	{0.9100, 0.9500, nil, 2, 75, "DE", human},
	{0.8750, 0.9900, []string{"web"}, 3, 640, "FR", human},
	{0.7200, 0.9300, nil, 1, 18, "DE", human},
	{0.9950, 0.8800, []string{"app"}, 5, 27, "DE", human},
	{0.9880, 0.6100, nil, 2, 310, "IT", human},
	{0.9910, 0.3300, []string{"gift"}, 1, 22, "DE", human},
	{0.9640, 0.9280, nil, 4, 150, "ES", human},
	// One score low, or both.
	{0.1500, 0.9600, nil, 2, 2000, "DE", human},
	{0.9900, 0.0500, []string{"web"}, 3, 12, "DE", human},
	{0.3300, 0.1100, nil, 1, 990, "NG", human},
	{0, 0, nil, 1, 1, "DE", human},
	// Several reasons at once.
	{0.9950, 0.7000, []string{"vip"}, 3, 500, "DE", human},
	{0.9950, 0.9700, []string{"vip"}, 0, 30, "DE", human},
	{0.8800, 0.7500, []string{"new_device"}, 0, 70, "GB", human},
	{0.4000, 0.1500, []string{"web", "vip"}, 0, 5000, "DE", human},
}
