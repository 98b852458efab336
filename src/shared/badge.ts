import { BADGE_MAX } from './limits'

/** How many unread things a badge shows: `9+` above nine. At zero there is none, which is the caller's part. */
export function badgeLabel(unread: number): string {
  return unread > BADGE_MAX ? `${BADGE_MAX}+` : String(unread)
}
