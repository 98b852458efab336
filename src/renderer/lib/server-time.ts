import { useNow } from './time'

/** A clock that is off by less is left alone, in milliseconds: an answer's date is of whole seconds, and some way old. */
const TOLERANCE_MS = 120_000

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0

/** Learns from an answer what time it is at the server; one that does not say changes nothing. */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const at = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(at)) return
  const difference = at - Date.now()
  ahead = Math.abs(difference) < TOLERANCE_MS ? 0 : difference
}

/** What time it is at the server, in milliseconds; this machine's clock may be wrong by a day. */
export function serverNow(): number {
  return Date.now() + ahead
}

/** What time it was at the server at a time that this machine's clock told. */
export function toServerTime(iso: string): string {
  return new Date(Date.parse(iso) + ahead).toISOString()
}

/** `useNow` by the server's clock. */
export function useServerNow(): number {
  return useNow() + ahead
}
