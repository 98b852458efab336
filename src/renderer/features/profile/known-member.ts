import type { QueryClient } from '@tanstack/react-query'
import { isObject } from '#/renderer/lib/server/checks/checked-values'

/** Name and picture of a member, as far as the page knows them. */
export interface KnownMember {
  username: string
  full_name: string
  avatar_url: string | null
  avatar_path: string | null
}

/** Authors are below pages, rows and their embeds. */
const DEPTH = 6

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function findIn(value: unknown, username: string, depth: number): KnownMember | null {
  if (depth === 0 || typeof value !== 'object' || value === null) return null
  if (isObject(value) && value.username === username && 'avatar_path' in value) {
    const { full_name, avatar_url, avatar_path } = value
    return {
      username,
      full_name: textOrNull(full_name) ?? '',
      avatar_url: textOrNull(avatar_url),
      avatar_path: textOrNull(avatar_path),
    }
  }
  for (const each of Object.values(value)) {
    const found = findIn(each, username, depth - 1)
    if (found !== null) return found
  }
  return null
}

/** The member with this username, as a post, a search or a list that is loaded shows them; null if there is none. */
export function findKnownMember(client: QueryClient, username: string): KnownMember | null {
  for (const { state } of client.getQueryCache().getAll()) {
    const found = findIn(state.data, username, DEPTH)
    if (found !== null) return found
  }
  return null
}
