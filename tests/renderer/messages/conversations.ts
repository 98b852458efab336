import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, vi } from 'vitest'
import type { Message } from '#/renderer/features/messages/message'
import { press } from '#tests/renderer/dom'
import { author, type FakeServer, ME, refusal } from '#tests/renderer/fake-server'
import { message as messageRow } from './messages'

/** The id of a member, a conversation or a message by its number. */
export const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

interface Conversation {
  id: string
  epoch: number
  /** Of a group, the member who has written last. */
  other: { id: string; username: string }
  /** The name of a group; null for a pair. */
  group: string | null
  /** Up to where this member has read a group. */
  mark: Message | null
  folder: string
  pinned_at: string | null
  hasOtherWritten: boolean
}

/** Conversations of the signed-in member on a faked server. */
export interface Conversations {
  /** Adds a conversation, with messages of the other member, the oldest first. Returns its id. */
  add: (username: string, texts: readonly string[], folder?: string) => string
  /** Adds a group of this member and others, who have written these messages, the oldest first. Returns its id. */
  addGroup: (name: string, said: readonly [username: string, text: string][], folder?: string) => string
  /** Stores a message that this member (`ME`) or the other one wrote. */
  write: (conversationId: string, content: string, sender?: string, values?: Partial<Message>) => Message
  /** The other member of a conversation. */
  member: (username: string) => { id: string }
  /** Gives a conversation its next epoch, as a removal does in a group. */
  raiseEpoch: (conversationId: string) => void
  /** Hides a conversation, as a block does. */
  remove: (username: string) => void
  /** The contents that the server has, oldest first. */
  contents: (conversationId: string) => string[]
  /** Refuses or drops such requests, until the returned function is called. */
  fail: (name: string, answer?: Parameters<FakeServer['on']>[1]) => () => void
}

/** What a lost connection does to a request. */
export const offline = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'))

/** Lists and conversations render the rows that are visible; the document has no layout. */
function giveHeights(): void {
  const scrolls = (element: HTMLElement) =>
    element.getAttribute('role') === 'log' || element.querySelector(':scope > ul') !== null
  for (const name of ['offsetHeight', 'clientHeight'] as const)
    vi.spyOn(HTMLElement.prototype, name, 'get').mockImplementation(function (this: HTMLElement) {
      return scrolls(this) ? 2_000 : 40
    })
  onTestFinished(() => void vi.restoreAllMocks())
}

/** Answers the requests of the messages screen from memory. The app is idle then, and opens its outbox. */
export function fakeConversations(server: FakeServer): Conversations {
  giveHeights()
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work))
  const conversations: Conversation[] = []
  const messages: Message[] = []
  const writers: { id: string; username: string }[] = []
  const start = Date.now() - 20_000
  const timeOf = (number: number) => new Date(start + number * 100).toISOString()
  const write = (conversation_id: string, content: string, sender_id = ME, values: Partial<Message> = {}) => {
    const conversation = conversations.find(({ id }) => id === conversation_id)
    if (conversation === undefined) throw new Error(`no conversation ${conversation_id}`)
    const sent = messageRow(idOf(9_000 + messages.length), 0, {
      conversation_id,
      sender_id,
      content,
      created_at: timeOf(messages.length),
      read: false,
      ...values,
    })
    messages.push(sent)
    // As the database does: an answer accepts a request, and any message brings an archived conversation back.
    if (conversation.group === null && (sender_id === ME || conversation.folder === 'archived'))
      conversation.folder = 'inbox'
    if (sender_id !== ME) conversation.hasOtherWritten = true
    return sent
  }
  const newestOf = (id: string) => messages.filter((each) => each.conversation_id === id).reverse()
  const row = ({ id, epoch, other, group, folder, pinned_at, hasOtherWritten, mark: at }: Conversation) => {
    const [latest] = newestOf(id)
    const isPair = group === null
    const mark = isPair ? newestOf(id).find((each) => each.sender_id !== ME && each.read) : at
    return {
      id,
      participant_1: isPair ? ME : null,
      participant_2: isPair ? other.id : null,
      kind: isPair ? 'pair' : 'group',
      name: group,
      picture_path: null,
      epoch,
      participant_1_wrote: true,
      participant_2_wrote: hasOtherWritten,
      last_message_at: latest?.created_at ?? timeOf(0),
      mine: [
        {
          folder,
          unread: latest !== undefined && latest.sender_id !== ME && !latest.read,
          writes: folder !== 'requests',
          muted_until: null,
          mark_at: mark?.created_at ?? null,
          mark_id: mark?.id ?? null,
          pinned_at,
          delivered_at: null,
          cleared_at: null,
          reads_after: '-infinity',
        },
      ],
      one: isPair ? { id: ME, ...author('mara') } : null,
      two: isPair ? { id: other.id, ...author(other.username) } : null,
      latest: latest === undefined ? [] : [latest],
    }
  }
  const listed = (folder: string) =>
    conversations
      .filter((each) => each.folder === folder)
      .map(row)
      .sort((a, b) => b.last_message_at.localeCompare(a.last_message_at))
  const idIn = (query: URLSearchParams, column: string): string[] =>
    query.get(column)?.match(/[\da-f-]{36}/g) ?? []

  const answers: Readonly<Record<string, Parameters<FakeServer['on']>[1]>> = {
    'GET my_conversations': ({ query }) => listed(query.get('in_folder') ?? ''),
    'POST my_conversations': () => listed('inbox').filter(({ kind }) => kind === 'group'),
    'POST unread_groups': ({ body }) => {
      const asked = conversations.filter(({ id }) => (body as { of_groups: string[] }).of_groups.includes(id))
      const isUnread = ({ id, mark }: Conversation) =>
        newestOf(id).some(
          ({ sender_id, created_at }) => sender_id !== ME && created_at > (mark?.created_at ?? ''),
        )
      return asked.filter(isUnread).map(({ id }) => ({ conversation_id: id }))
    },
    'GET profiles': ({ query }) =>
      writers
        .filter(({ id }) => idIn(query, 'id').includes(id))
        .map(({ id, username }) => ({ id, ...author(username) })),
    'GET conversation_folders': () =>
      ['requests', 'archived'].map((folder) => ({ folder, conversations: listed(folder).length })),
    'GET unread_conversations': () => 0,
    'GET unread_notifications': () => 0,
    'GET new_sign_ins': () => [],
    'GET activity': () => [],
    'GET blocks': () => [],
    'GET blocked_members': () => [],
    'GET conversations': ({ query }) => {
      const ids = idIn(query, 'id')
      const others = idIn(query, 'participant_2')
      return conversations.filter(({ id, other }) => ids.includes(id) || others.includes(other.id)).map(row)
    },
    'GET messages': ({ query }) => {
      const id = idIn(query, 'id')[0]
      const one = messages.filter((each) => each.id === id)
      // A message that is looked up by its id is the answer itself.
      if (id !== undefined) return query.get('id')?.startsWith('eq.') ? one[0] : one
      return newestOf(idIn(query, 'conversation_id')[0] ?? '')
    },
    'POST messages': ({ body }) => {
      const { conversation_id, content, ...rest } = body as Message
      if (messages.some(({ id }) => id === rest.id)) return refusal(409, '23505', 'exists')
      return write(conversation_id, content, ME, rest)
    },
    'POST mark_read': ({ body }) => {
      const { conversation, until_id } = body as { conversation: string; until_id: string }
      const group = conversations.find(({ id, group }) => id === conversation && group !== null)
      if (group !== undefined) group.mark = messages.find(({ id }) => id === until_id) ?? null
      for (const message of messages) if (message.conversation_id === conversation) message.read = true
      return false
    },
    'POST edit_message': ({ body }) => {
      const { message, content } = body as { message: string; content: string }
      const edited = messages.find(({ id }) => id === message)
      if (edited === undefined) return refusal(404, 'PT404', 'There is no such message.')
      Object.assign(edited, { content, edited_at: timeOf(messages.length) })
      return null
    },
    'PATCH conversation_views': ({ query, body }) => {
      const { cleared_at, ...changed } = body as { cleared_at?: string; folder?: string }
      const conversation = conversations.find(({ id }) => id === idIn(query, 'conversation_id')[0])
      if (conversation === undefined) return refusal(406, 'PGRST116', 'no row')
      const only = query.get('folder')
      if (only !== null && only !== `eq.${conversation.folder}`) return null
      Object.assign(conversation, changed, cleared_at !== undefined && { folder: 'none', pinned_at: null })
      return { cleared_at: cleared_at ?? null }
    },
  }
  for (const [name, answer] of Object.entries(answers)) server.on(name, answer)

  const indexOf = (username: string) => conversations.findIndex(({ other }) => other.username === username)
  return {
    write,
    member: (username) =>
      conversations[indexOf(username)]?.other ??
      writers.find((each) => each.username === username) ?? { id: '' },
    raiseEpoch: (wanted) => {
      for (const conversation of conversations) if (conversation.id === wanted) conversation.epoch += 1
    },
    remove: (username) => {
      if (indexOf(username) !== -1) conversations.splice(indexOf(username), 1)
    },
    add: (username, texts, folder = 'inbox') => {
      const number = conversations.length + 1
      const id = idOf(number)
      const other = { id: idOf(500 + number), username }
      const shown = { folder, pinned_at: null, group: null, mark: null }
      conversations.push({ id, epoch: 0, other, ...shown, hasOtherWritten: texts.length > 0 })
      for (const text of texts) write(id, text, other.id)
      return id
    },
    addGroup: (name, said, folder = 'inbox') => {
      const id = idOf(conversations.length + 1)
      const shown = { folder, pinned_at: null, group: name, mark: null }
      conversations.push({ id, epoch: 0, other: { id: '', username: '' }, ...shown, hasOtherWritten: false })
      for (const [username, text] of said) {
        const known = writers.find((each) => each.username === username)
        const writer = known ?? { id: idOf(700 + writers.length), username }
        if (known === undefined) writers.push(writer)
        write(id, text, writer.id)
      }
      return id
    },
    contents: (id) =>
      newestOf(id)
        .map(({ content }) => content)
        .reverse(),
    fail: (name, answer = offline) => {
      server.on(name, answer)
      return () => server.on(name, answers[name] ?? (() => []))
    },
  }
}

/** The message field, once the conversation is open. */
export const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Type a message...' })

/** The message with this text, once it is shown. */
export const message = (text: string): Promise<HTMLElement> =>
  vi.waitFor(() => {
    const found = shown(text)
    expect(found, text).toBeDefined()
    return found as HTMLElement
  })

/** The message with this text, if it is shown. */
export const shown = (text: string): HTMLElement | undefined =>
  screen.queryAllByRole('article').find(({ textContent }) => textContent?.includes(text))

/** Waits until a message has this state, such as `Edited`. */
export const expectState = (text: string, state: string) =>
  vi.waitFor(() => expect(shown(text)?.textContent).toContain(state))

/** The conversations of the list, the first on top. */
export const rows = (): HTMLElement[] => {
  const list = screen.queryByRole('list', { name: 'Conversations' })
  return list === null ? [] : within(list).queryAllByRole('listitem')
}

/** Waits until the list shows these conversations, by a part of their text. */
export const expectRows = (...texts: string[]) =>
  vi.waitFor(() => {
    expect(rows()).toHaveLength(texts.length)
    for (const [index, text] of texts.entries()) expect(rows()[index]?.textContent).toContain(text)
  })

/** Chooses an item of the menu that a button opens. */
export async function choose(button: string | RegExp, item: string, inside?: HTMLElement): Promise<void> {
  await press(button, inside)
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}
