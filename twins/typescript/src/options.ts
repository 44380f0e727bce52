import type { Fault } from './fault.js';
import type { Json } from './json.js';
import { copyPlain } from './plain.js';

/** What the service around the gate adds. */
export interface Options {
  /** The gate is under supervision. Everything but false and undefined counts as true. */
  readonly supervised?: boolean | undefined;
  /** What the service already found wrong. Any fault, whatever its code, ends with a person. */
  readonly faults?: readonly Fault[] | undefined;
}

/** Reads options as faults. What can't be read is read as supervision. */
export function optionFaults(options: unknown): Fault[] {
  if (options === undefined) {
    return [];
  }
  try {
    return read(copyPlain(options));
  } catch {
    return [supervision("the options can't be read")];
  }
}

function supervision(detail: string): Fault {
  return { code: 'gate_supervised', detail };
}

function read(options: Json): Fault[] {
  if (!(options instanceof Map)) {
    return [supervision('the options must be an object')];
  }
  const faults: Fault[] = [];
  for (const [name, value] of options) {
    if (name === 'faults' && Array.isArray(value)) {
      faults.push(...value.map(readFault));
    } else if (name !== 'supervised') {
      faults.push(supervision('an option is unknown, or faults is no list'));
    } else if (value !== false) {
      faults.push(supervision('the gate is supervised'));
    }
  }
  return faults;
}

function readFault(fault: Json): Fault {
  const members: ReadonlyMap<string, Json> = fault instanceof Map ? fault : new Map();
  const code = members.get('code');
  const subject = members.get('subject');
  const detail = members.get('detail');
  if (typeof code !== 'string' || code === '') {
    return supervision('a fault without a code was handed in');
  }
  return {
    code,
    subject: typeof subject === 'string' ? subject : undefined,
    meta: members.get('meta') === true,
    detail: typeof detail === 'string' ? detail : undefined,
  };
}
