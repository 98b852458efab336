/** The lock that each window holds as long as it is there. */
const LOCK = 'vignette.window '

/** This window, among all of the same browser. */
export const WINDOW_ID: string = crypto.randomUUID()

let isTold = false

/** Has the other windows know that this one is there, until it is closed or dies. */
export function tellOfWindow(): void {
  // A browser without locks (an origin that is not secure) has to trust that it is the only window.
  if (isTold || !('locks' in navigator)) return
  isTold = true
  void navigator.locks.request(LOCK + WINDOW_ID, () => new Promise<never>(() => undefined))
}

/** The windows that are there, this one among them. */
export async function livingWindows(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set([WINDOW_ID])
  const { held = [] } = await navigator.locks.query()
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(LOCK))
  return new Set([WINDOW_ID, ...names.map((name) => name.slice(LOCK.length))])
}
