/** What may happen without a person, from the least to the most supervised. */
export type Verdict = 'auto_apply' | 'auto_reject' | 'route_to_human';

/** Where a score lies. A score with a fault is always in the review band. */
export type Band = 'high' | 'review' | 'low';

/** The bands of all configured scores, in the order of their names. The object has no prototype. */
export type Bands = Readonly<Record<string, Band>>;

/** Orders the review queue; it never changes a verdict. */
export type RiskLevel = 'low' | 'medium' | 'high' | 'critical';

/** Tells whether a value is one of the three verdicts. */
export function isVerdict(value: unknown): value is Verdict {
  return value === 'auto_apply' || value === 'auto_reject' || value === 'route_to_human';
}
