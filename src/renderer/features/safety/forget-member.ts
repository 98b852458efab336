import type { QueryClient } from '@tanstack/react-query'

export interface SafetyMember {
  id: string
  username: string
}

/** Begin the keys of what shows members, or what they made. Conversations are not among them: they stay, closed. */
const SHOWING = [
  'feed',
  'post',
  'grid',
  'comments',
  'people',
  'profile',
  'search',
  'notifications',
  'stories',
  'story',
  'story viewers',
]

/** Where a list is to be read on: this names a row, it does not show one. */
const PLACES = new Set(['next', 'pageParams'])

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a row is this member, or theirs: one of its columns holds their id, or its author is called like them. */
function isTheirs(value: unknown, { id, username }: SafetyMember): boolean {
  if (!isRecord(value)) return false
  return Object.values(value).some(
    (field) => field === id || (isRecord(field) && username !== '' && field.username === username),
  )
}

/** What was read, without a member: their rows are taken out of every list; null where it was about them alone. */
export function withoutMember(data: unknown, member: SafetyMember): unknown {
  if (isTheirs(data, member)) return null
  if (Array.isArray(data)) {
    return data.filter((item) => !isTheirs(item, member)).map((item) => withoutMember(item, member))
  }
  if (!isRecord(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      PLACES.has(key) || value === null ? value : withoutMember(value, member),
    ]),
  )
}

/** Takes a member and all that is theirs off the screen and out of memory; gives the way back. */
export async function forgetMember(client: QueryClient, member: SafetyMember): Promise<() => void> {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    SHOWING.some((name) => name === queryKey[0])
  // What is on its way was asked for before, and may still bring them.
  await client.cancelQueries({ predicate })
  const before = client.getQueriesData({ predicate })
  client.setQueriesData({ predicate }, (data: unknown) =>
    data === undefined ? undefined : withoutMember(data, member),
  )
  return () => {
    for (const [key, data] of before) if (data !== undefined) client.setQueryData(key, data)
  }
}
