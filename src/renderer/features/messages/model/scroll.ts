import { isAfterMark, type Mark } from '#/renderer/lib/live'
import type { Message } from '../message'
import { laterId, type TimelineRow } from './timeline'

/** Within this distance from its end, a list counts as being at the end, in pixels. */
export const END_REACH = 60
/** Scrolled up by more than this from the end, the member means to leave it, in pixels. */
const LEAVE_REACH = 4

export type Jump = { to: 'end' } | { to: 'row'; key: string; align: 'start' | 'center' }

export interface ScrollState {
  /**
   * `end`: pinned to the end while sizes change. `opening` and `finding`: on the way to the unread divider or to a wanted
   * message, while rows are measured. `free`: where the member scrolled to, held by the visible rows.
   */
  hold: 'end' | 'opening' | 'finding' | 'free'
  /** The last jump to carry out; a new object for each jump. */
  jump: Jump | null
  /** Which messages the list was opened with; it opens again with fetched ones unless the member has scrolled. */
  opened: 'not yet' | 'cached' | 'fetched'
  /** The latest message that was visible. */
  seenId: string | null
  /** The last pending message at the previous update. */
  pendingId: string | undefined
  /** Whether the rows end before the newest messages: their end is not the end of the conversation. */
  hasNewer: boolean
  /** A message to scroll to as soon as it is loaded. */
  wantedId: string | null
  /** The message that was scrolled to last, to highlight it. */
  highlightedId: string | null
}

export const INITIAL_SCROLL: ScrollState = {
  hold: 'end',
  jump: null,
  opened: 'not yet',
  seenId: null,
  pendingId: undefined,
  hasNewer: false,
  wantedId: null,
  highlightedId: null,
}

/** What a render of the list shows. */
export interface ShownRows {
  messages: readonly Message[]
  mark: Mark
  rows: readonly TimelineRow[]
  /** Number of rows down to the last visible one. */
  visibleCount: number
  /** Whether the messages were fetched since the conversation was opened. */
  isFresh: boolean
  /** The message that is being looked for because it is not among the rows. */
  soughtId: string | null
  /** Whether it may still be found. */
  canFind: boolean
  pendingId: string | undefined
  hasNewer: boolean
}

export type ScrollEvent =
  | ({ type: 'rendered' } & ShownRows)
  /** Distances in pixels; `movedBy` is negative upwards. */
  | { type: 'scrolled'; movedBy: number; toEnd: number }
  /** Nothing has moved for a while. */
  | { type: 'settled'; toEnd: number }
  | { type: 'show message'; id: string }
  | { type: 'go to end' }
  /** A message is about to grow below its first lines, which stay where they are. */
  | { type: 'unfold' }

/** Whether the list is on the way to a row. */
export function isMoving({ hold }: Pick<ScrollState, 'hold'>): boolean {
  return hold === 'opening' || hold === 'finding'
}

/** Whether visible rows hold the list, and not its end or the unread divider. */
export function isReleased({ hold }: Pick<ScrollState, 'hold'>): boolean {
  return hold === 'free' || hold === 'finding'
}

/** Each call is a new jump. */
function atEnd(): Pick<ScrollState, 'hold' | 'jump'> {
  return { hold: 'end', jump: { to: 'end' } }
}

/** The last message among the first `count` rows that the server has stored. */
function lastStored(rows: readonly TimelineRow[], count: number): string | null {
  const row = rows.slice(0, count).findLast((each) => each.kind === 'message' && each.delivery === 'sent')
  return row?.key ?? null
}

/** Opens the list at the unread divider, else at its end. */
function open(state: ScrollState, { messages, mark, rows, isFresh }: ShownRows): ScrollState {
  const opened = isFresh ? 'fetched' : 'cached'
  if (opened === state.opened) return state
  // A message that the URL names is shown as soon as it is loaded. What arrives from now on is new.
  if (state.wantedId !== null) return { ...state, opened, hold: 'free', seenId: messages.at(-1)?.id ?? null }
  if (isReleased(state)) {
    // The cached messages may lack some that the member has read since.
    const lastRead = messages.findLast((message) => !isAfterMark(message, mark))?.id ?? null
    return { ...state, opened, seenId: laterId(messages, state.seenId, lastRead) }
  }
  const divider = rows.findIndex(({ kind }) => kind === 'divider')
  const key = rows[divider]?.key
  if (key === undefined) return { ...state, ...atEnd(), opened, seenId: lastStored(rows, rows.length) }
  const seenId = lastStored(rows, divider)
  return { ...state, opened, hold: 'opening', jump: { to: 'row', key, align: 'start' }, seenId }
}

/** Goes to the end when the member has sent a message. */
function followPending(state: ScrollState, { pendingId }: ShownRows): ScrollState {
  if (pendingId === state.pendingId) return state
  return { ...state, pendingId, ...(pendingId !== undefined && atEnd()) }
}

/** Jumps to the wanted message once it is loaded, and gives up if it cannot be. */
function findWanted(state: ScrollState, { rows, soughtId, canFind }: ShownRows): ScrollState {
  const { wantedId } = state
  if (wantedId === null) return state
  if (rows.some(({ key }) => key === wantedId)) {
    const jump: Jump = { to: 'row', key: wantedId, align: 'center' }
    return { ...state, hold: 'finding', jump, wantedId: null, highlightedId: wantedId }
  }
  if (canFind || soughtId !== wantedId) return state
  return { ...state, wantedId: null, ...(state.jump === null && atEnd()) }
}

/** A stretch further up is shown, or the newest messages are again. */
function showNewer(state: ScrollState, { hasNewer }: ShownRows): ScrollState {
  if (hasNewer === state.hasNewer) return state
  if (hasNewer) return { ...state, hasNewer, hold: 'free' }
  return { ...state, hasNewer, ...(state.hold === 'end' && atEnd()) }
}

function markSeen(state: ScrollState, { messages, rows, visibleCount }: ShownRows): ScrollState {
  if (isMoving(state) || state.hasNewer) return state
  const seenId = laterId(messages, state.seenId, lastStored(rows, visibleCount))
  return seenId === state.seenId ? state : { ...state, seenId }
}

function holdAfter(state: ScrollState, movedBy: number, toEnd: number): ScrollState['hold'] {
  const { hold, hasNewer } = state
  if (isMoving(state) || hasNewer) return hold
  if (movedBy < -1) return toEnd > LEAVE_REACH ? 'free' : 'end'
  return toEnd <= END_REACH ? 'end' : hold
}

/** The scroll position of a conversation. Returns the same state if nothing changes. */
export function scrollReducer(state: ScrollState, event: ScrollEvent): ScrollState {
  switch (event.type) {
    case 'rendered':
      return [showNewer, open, followPending, findWanted, markSeen].reduce(
        (next, step) => step(next, event),
        state,
      )
    case 'scrolled': {
      const hold = holdAfter(state, event.movedBy, event.toEnd)
      return hold === state.hold ? state : { ...state, hold }
    }
    case 'settled':
      return { ...state, hold: event.toEnd <= END_REACH && !state.hasNewer ? 'end' : 'free' }
    case 'show message':
      return { ...state, wantedId: event.id, highlightedId: null }
    case 'go to end':
      return { ...state, ...atEnd() }
    case 'unfold':
      return { ...state, hold: 'free' }
  }
}
