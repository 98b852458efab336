/** The part of a story that the strip's order depends on. */
export interface OrderedStory {
  id: string
  user_id: string
  created_at: string
  expires_at: string
  isSeen: boolean
}

/** A member's current stories, oldest first. */
export interface StoryGroup<S extends OrderedStory = OrderedStory> {
  memberId: string
  stories: readonly [S, ...S[]]
  /** The member has seen all of them. */
  isSeen: boolean
}

interface StripOptions {
  me: string
  muted: ReadonlySet<string>
  /** Server time in milliseconds: expired stories are left out. */
  now: number
}

/** Groups stories by member: own first, then members with unseen stories, then the rest, each newest first (STORY-07). */
export function orderStrip<S extends OrderedStory>(
  stories: readonly S[],
  { me, muted, now }: StripOptions,
): StoryGroup<S>[] {
  const current = stories
    .filter((story) => !muted.has(story.user_id) && Date.parse(story.expires_at) > now)
    .toSorted((a, b) => compareTimes(a, b))
  const groups = [...byMember(current)].map(([memberId, own]) => ({
    memberId,
    stories: own,
    isSeen: own.every((story) => story.isSeen),
  }))
  const rank = ({ memberId, isSeen }: StoryGroup<S>) => (memberId === me ? 0 : isSeen ? 2 : 1)
  return groups.toSorted((a, b) => rank(a) - rank(b) || compareTimes(newestOf(b), newestOf(a)))
}

/**
 * Keeps the order on screen: a member whose stories were watched meanwhile stays in their place. New members, and those with new
 * stories, come to the place that `orderStrip` gives them among members with unseen stories.
 * @param groups as `orderStrip` returns them
 * @param shown the groups on screen
 */
export function keepOrder<S extends OrderedStory>(
  groups: readonly StoryGroup<S>[],
  shown: readonly StoryGroup<S>[],
): StoryGroup<S>[] {
  const now = new Map(groups.map((group) => [group.memberId, group]))
  const kept = shown.flatMap((before) => {
    const group = now.get(before.memberId)
    const isRenewed = before.isSeen && group?.isSeen === false
    return group === undefined || isRenewed ? [] : [group]
  })
  const staying = new Set(kept.map(({ memberId }) => memberId))
  let place = 0
  for (const group of groups) {
    if (staying.has(group.memberId)) {
      if (!group.isSeen) place = kept.indexOf(group) + 1
    } else if (group.isSeen) kept.push(group)
    else kept.splice(place++, 0, group)
  }
  return kept
}

/** The story that a member's bubble opens: the first unseen one, or the first. */
export function firstToWatch<S extends OrderedStory>({ stories }: StoryGroup<S>): S {
  return stories.find((story) => !story.isSeen) ?? stories[0]
}

function byMember<S extends OrderedStory>(stories: readonly S[]): Map<string, [S, ...S[]]> {
  const members = new Map<string, [S, ...S[]]>()
  for (const story of stories) {
    const own = members.get(story.user_id)
    if (own === undefined) members.set(story.user_id, [story])
    else own.push(story)
  }
  return members
}

function newestOf<S extends OrderedStory>({ stories }: StoryGroup<S>): S {
  return stories.at(-1) ?? stories[0]
}

/** Date truncates PostgreSQL's microseconds, so rows of the same millisecond are ordered by id. */
function compareTimes(a: OrderedStory, b: OrderedStory): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1)
}

/** Why a story cannot be played, or the stories to play: its member's, and those of the other members, in order. */
export type StoriesToPlay<S extends OrderedStory> =
  | { state: 'gone' | 'expired' }
  | { state: 'ready'; groups: readonly StoryGroup<S>[] }

interface PlayOptions<S> {
  /** Members of the strip from which the story was opened, in its order. */
  members: readonly string[]
  /** The stories that the strip has loaded. */
  known: readonly S[]
  me: string
  /** Server time in milliseconds. */
  now: number
}

/** Selects the stories that play after a story is opened. */
export function storiesToPlay<S extends OrderedStory>(
  story: S | null,
  { members, known, me, now }: PlayOptions<S>,
): StoriesToPlay<S> {
  if (story === null) return { state: 'gone' }
  if (Date.parse(story.expires_at) <= now) return { state: 'expired' }
  const all = known.some(({ id }) => id === story.id) ? known : [...known, story]
  const groups = new Map(
    orderStrip(all, { me, muted: new Set(), now }).map((group) => [group.memberId, group]),
  )
  const order = members.includes(story.user_id) ? members : [story.user_id]
  return { state: 'ready', groups: order.flatMap((memberId) => groups.get(memberId) ?? []) }
}
