import { fileURLToPath } from 'node:url';

/** The program to compare with: that of PAWL_BIN, or the one that this repository builds. */
export const peerBinary =
  process.env['PAWL_BIN'] ?? fileURLToPath(new URL('../../../../bin/pawl', import.meta.url));
