import { BADGE_MAX } from './limits'

/** The text of an unread badge: `9+` above nine. Callers hide the badge at zero. */
export function badgeLabel(unread: number): string {
  return unread > BADGE_MAX ? `${BADGE_MAX}+` : String(unread)
}
