/** Size of a page of WebAssembly memory. */
export const PAGE_BYTES = 65_536

const SEQUENCE = 0
const PAGES = 1

/** Shared memory, through which the main thread sees the state of the database thread while a statement blocks it. */
export interface StatementState {
  memory: SharedArrayBuffer
  /** Called around each entry into PostgreSQL. */
  begin(): void
  end(): void
  /** Odd while PostgreSQL runs. Changes with each entry into PostgreSQL. */
  sequence(): number
  setWasmBytes(bytes: number): void
  wasmBytes(): number
}

export function createStatementState(memory = new SharedArrayBuffer(8)): StatementState {
  const state = new Int32Array(memory)
  const step = () => {
    Atomics.add(state, SEQUENCE, 1)
  }
  return {
    memory,
    begin: step,
    end: step,
    sequence: () => Atomics.load(state, SEQUENCE),
    setWasmBytes: (bytes) => {
      Atomics.store(state, PAGES, bytes / PAGE_BYTES)
    },
    wasmBytes: () => Atomics.load(state, PAGES) * PAGE_BYTES,
  }
}
