import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { splitLines } from '#twin/lines.js';

/** The program that answers the same lines: it runs once, and gets lines before the answers to earlier ones are in. */
export class Peer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncGenerator<Uint8Array, void>;
  readonly #exited: Promise<void>;

  constructor(binary: string) {
    this.#child = spawn(binary, ['vectors', 'answer'], { stdio: 'pipe' });
    this.#child.stdin.on('error', () => undefined); // the missing answer tells it
    this.#child.stderr.pipe(process.stderr);
    this.#exited = new Promise((resolve) => {
      this.#child.on('error', () => resolve());
      this.#child.on('close', () => resolve());
    });
    this.#answers = splitLines(this.#child.stdout);
  }

  /** Sends a line. */
  send(line: string): void {
    this.#child.stdin.write(line + '\n');
  }

  /** Returns the answer to the next line. */
  async answer(): Promise<string> {
    const next = await this.#answers.next();
    if (next.done === true) {
      throw new Error('the peer ended before it had answered every line');
    }
    return Buffer.from(next.value).toString();
  }

  /** Ends the input and waits for the end of the program. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    this.#child.stdout.resume();
    await this.#exited;
  }
}
