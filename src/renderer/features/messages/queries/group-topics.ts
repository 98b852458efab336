import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { isOffline } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { createThrottle } from '#/renderer/lib/core/schedule'
import {
  connection,
  emitRowChange,
  joinGroup,
  onCaughtUp,
  onIdsChange,
  onRowChange,
} from '#/renderer/lib/live'
import { refetch } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { useOpenGroup } from '../active-conversation-store'
import { messageKeys } from '../keys'
import { MESSAGE_COLUMNS } from '../message'
import { refetchConversations } from './conversations'
import { refetchUnread, spreadRead } from './live'

/** Groups whose changes arrive at once: an embedded server allows 30 channels. */
const TOPICS_MOST = 20
/** Time between two joins, in milliseconds: a hosted project takes a hundred in a second, of all its members. */
const JOIN_MS = 500
/** How often the other groups are read, in milliseconds. */
const OTHERS_MS = 120_000
/** Missed messages that are read of a group: its history is read when it is opened. */
const MISSED_MOST = 10

const GROUP_COLUMNS = 'id,epoch,last_message_at'

interface Topic {
  id: string
  epoch: number
  last_message_at: string
}

/** The groups of the inbox, the latest first, as far as a page has them. Throws an `AppError`. */
async function loadGroups() {
  const views = 'conversation_views!conversation_views_conversation_id_fkey(muted_until)' as const
  return unwrap(
    supabase()
      // The embedded server reads a boolean only in a body.
      .rpc('my_conversations', { only_groups: true }, { get: false })
      .select(`${GROUP_COLUMNS},mine:${views}`)
      .order('last_message_at', { ascending: false })
      .order('id', { ascending: false }),
  )
}

/** A group of any folder; none if the member is not in it. Throws an `AppError`. */
async function loadGroup(id: string): Promise<Topic[]> {
  const row = await unwrap(
    supabase().from('conversations').select(GROUP_COLUMNS).eq('id', id).eq('kind', 'group').maybeSingle(),
  )
  return row === null ? [] : [row]
}

/**
 * Keeps the channels of the groups with the latest messages joined, the open one first, and reads what was missed before each join. Other
 * groups are read from time to time. Returns a stop function.
 */
export function followGroups(client: QueryClient): () => void {
  const followed = new Map<string, { epoch: number; leave: () => void }>()
  /** The time of the latest known message, by group. It outlives the channel: what came while it was closed was missed. */
  const latest = new Map<string, string>()
  /** The groups of the last read. */
  let listed: ReadonlySet<string> = new Set()
  let hasOthers = false
  let isReading = false
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const readMissed = async (id: string) => {
    const since = latest.get(id)
    if (since === undefined) return
    const missed = supabase().from('messages').select(MESSAGE_COLUMNS).eq('conversation_id', id)
    const rows = await unwrap(
      missed
        .gt('created_at', since)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(MISSED_MOST),
    )
    if (isOver) return
    for (const row of rows.reverse()) emitRowChange('messages', { kind: 'insert', row })
  }
  const join = ({ id, epoch }: Topic) => {
    const leave = joinGroup(id, epoch, {
      onJoined: () => {
        // Also what was edited or unsent.
        void refetch(client, messageKeys.history(id))
        readMissed(id).catch((cause: unknown) => {
          if (!isOffline(cause)) logFailure('read messages of a group', cause)
        })
      },
      onEnded: readSoon,
    })
    followed.set(id, { epoch, leave })
  }
  const leave = (id: string) => {
    followed.get(id)?.leave()
    followed.delete(id)
  }
  const leaveAll = () => {
    clearTimeout(timer)
    for (const id of followed.keys()) leave(id)
  }
  const joinInTurn = ([next, ...others]: readonly Topic[]) => {
    if (next === undefined) return
    join(next)
    if (others.length > 0) timer = setTimeout(joinInTurn, JOIN_MS, others)
  }

  const follow = (wanted: readonly Topic[]) => {
    clearTimeout(timer)
    const epochs = new Map(wanted.map(({ id, epoch }) => [id, epoch]))
    for (const [id, { epoch }] of followed) if (epochs.get(id) !== epoch) leave(id)
    for (const { id, last_message_at } of wanted) if (!latest.has(id)) latest.set(id, last_message_at)
    joinInTurn(wanted.filter(({ id }) => !followed.has(id)))
  }
  const read = async () => {
    isReading = true
    try {
      const groups = await loadGroups()
      const openId = useOpenGroup.getState().id
      const known = groups.filter(({ id }) => id === openId)
      const open = openId === null || known.length > 0 ? known : await loadGroup(openId)
      if (isOver || connection.getState().state === 'lost') return
      const now = serverNow()
      const isMuted = ({ mine: [mine] }: (typeof groups)[number]) =>
        mine?.muted_until != null && !(Date.parse(mine.muted_until) <= now)
      const others = groups.filter((group) => group.id !== openId && !isMuted(group))
      const wanted = [...open, ...others].slice(0, TOPICS_MOST)
      listed = new Set(groups.map(({ id }) => id))
      // More than a page of them has more than these, too.
      hasOthers = groups.some(({ id }) => wanted.every((each) => each.id !== id))
      follow(wanted)
    } catch (cause) {
      // Tried again with the other groups, or with the next connection.
      hasOthers = true
      if (!isOffline(cause)) logFailure('read groups', cause)
    } finally {
      isReading = false
    }
  }
  const readSoon = createThrottle(
    () => {
      if (!isOver && connection.getState().state !== 'lost') void read()
    },
    () => isReading,
  )

  const unsubscribers = [
    onCaughtUp(readSoon),
    connection.subscribe(({ state }) => {
      // Each is joined again in its turn, and not by the library, all at once.
      if (state === 'lost') leaveAll()
    }),
    onRowChange('messages', ({ row: { conversation_id: id, created_at: at } }) => {
      const known = latest.get(id)
      if (known !== undefined && at > known) latest.set(id, at)
    }),
    onRowChange('conversation_views', ({ row: { conversation_id: id, is_group, folder, writes } }) => {
      const hasMoved = (folder === 'inbox') !== listed.has(id)
      if (is_group && (hasMoved || (!writes && followed.has(id)))) readSoon()
    }),
    onIdsChange('conversations', async ({ type, ids }) => {
      if (!ids.some((id) => followed.has(id))) return
      if (type === 'UPDATE') await spreadRead()
      readSoon()
    }),
    useOpenGroup.subscribe(({ id }) => {
      if (id !== null && !followed.has(id)) readSoon()
    }),
  ]
  const polling = setInterval(() => {
    if (!hasOthers || connection.getState().state !== 'online') return
    readSoon()
    void refetchConversations(client)
    refetchUnread(client)
  }, OTHERS_MS)
  if (connection.getState().state === 'online') readSoon()
  return () => {
    isOver = true
    clearInterval(polling)
    for (const unsubscribe of unsubscribers) unsubscribe()
    leaveAll()
  }
}
