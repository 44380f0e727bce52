/** What is compared of an answer. */
export interface Compared {
  readonly id: string | null;
  readonly verdict: string;
  readonly bands?: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
  readonly risk?: string;
}

/** Writes an answer down so that equal ones give equal text. */
export function canonical({ id, verdict, bands, codes, risk }: Compared): string {
  const sorted = Object.entries(bands ?? {}).sort(([x], [y]) => (x < y ? -1 : 1));
  return JSON.stringify({ id, verdict, bands: sorted, codes, risk: risk ?? '' });
}
