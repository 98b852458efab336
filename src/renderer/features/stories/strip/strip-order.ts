/** What the strip's order depends on of a story. */
export interface OrderedStory {
  id: string
  user_id: string
  created_at: string
  expires_at: string
  isSeen: boolean
}

/** A member's running stories, oldest first, as one watches them. */
export interface StoryGroup<S extends OrderedStory = OrderedStory> {
  memberId: string
  stories: readonly [S, ...S[]]
  /** All of them were seen. */
  isSeen: boolean
}

interface StripOptions {
  me: string
  muted: ReadonlySet<string>
  /** At the server, in milliseconds: what has expired by then is left out. */
  now: number
}

/** One group a member: one's own first, then those with something unseen, then the rest, each newest first (STORY-07). */
export function orderStrip<S extends OrderedStory>(
  stories: readonly S[],
  { me, muted, now }: StripOptions,
): StoryGroup<S>[] {
  const running = stories
    .filter((story) => !muted.has(story.user_id) && Date.parse(story.expires_at) > now)
    .toSorted((a, b) => compareTimes(a, b))
  const groups = [...byMember(running)].map(([memberId, theirs]) => ({
    memberId,
    stories: theirs,
    isSeen: theirs.every((story) => story.isSeen),
  }))
  const rank = ({ memberId, isSeen }: StoryGroup<S>) => (memberId === me ? 0 : isSeen ? 2 : 1)
  return groups.toSorted((a, b) => rank(a) - rank(b) || compareTimes(newestOf(b), newestOf(a)))
}

/** The story that a member's bubble opens: the first that was not seen, or the first. */
export function firstToWatch<S extends OrderedStory>({ stories }: StoryGroup<S>): S {
  return stories.find((story) => !story.isSeen) ?? stories[0]
}

function byMember<S extends OrderedStory>(stories: readonly S[]): Map<string, [S, ...S[]]> {
  const members = new Map<string, [S, ...S[]]>()
  for (const story of stories) {
    const theirs = members.get(story.user_id)
    if (theirs === undefined) members.set(story.user_id, [story])
    else theirs.push(story)
  }
  return members
}

function newestOf<S extends OrderedStory>({ stories }: StoryGroup<S>): S {
  return stories.at(-1) ?? stories[0]
}

/** PostgreSQL gives microseconds, which Date cuts off: rows of one millisecond are told apart by their id. */
function compareTimes(a: OrderedStory, b: OrderedStory): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1)
}
