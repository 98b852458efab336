import { beforeEach, describe, expect, test, vi } from 'vitest'
import { callHook } from '#tests/renderer/dom'

const logged = vi.hoisted(() => vi.fn())
vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: logged }))

beforeEach(() => {
  logged.mockReset()
})

/** A page that was just loaded, or a second window: nothing of the previous page is in memory. */
async function openPage(server = 'embedded') {
  vi.resetModules()
  const { useServerInfo } = await import('#/renderer/lib/core/server-info')
  useServerInfo.setState({
    server: { kind: 'embedded', storageKey: server, url: '', publishableKey: '', demo: [], mailFile: null },
  })
  const { commentDrafts, commentDraftOf } = await import('#/renderer/features/post/drafts')
  const { replyDrafts, replyDraftOf } = await import('#/renderer/features/stories/reply-drafts')
  const { clearDrafts, hasDrafts } = await import('#/renderer/lib/local/draft-store')
  return {
    comment: (me = 'ana') => commentDraftOf(me, 'post'),
    readComment: (me = 'ana') => commentDrafts.read(me, 'post'),
    reply: (me = 'ana') => replyDraftOf(me, 'story'),
    readReply: (me = 'ana') => replyDrafts.read(me, 'story'),
    clearDrafts,
    hasDrafts,
  }
}

describe('drafts of comments and replies', () => {
  test('FEED-07 STORY-05 survive a reload', async () => {
    const before = await openPage()
    before.comment().setText('What a morning')
    before.reply().setText('Where is this?')
    const { id } = before.reply().read()
    const after = await openPage()
    expect(after.readComment()).toMatchObject({ text: 'What a morning', wasSent: false })
    expect(after.readReply()).toMatchObject({ id, text: 'Where is this?' })
  })

  test('keep the storage keys of earlier versions of the app', async () => {
    const before = await openPage()
    before.comment().setText('What a morning')
    before.reply().setText('Where is this?')
    expect(Object.keys(localStorage)).toEqual([
      'vignette.words.embedded.ana.comment.post',
      'vignette.words.embedded.ana.reply.story',
    ])
  })

  test('keep their id when sent again after a reload; a changed text gets a new one', async () => {
    const before = await openPage()
    before.comment().setText('What a morning')
    const { id } = before.comment().take()
    const after = await openPage()
    expect(after.comment().take()).toEqual({ id, text: 'What a morning', wasSent: true, replyTo: null })
    after.comment().setText('What a day')
    expect(after.comment().take().id).not.toBe(id)
  })

  test('FEED-06 FEED-07 STORY-05 leave the field while they are sent, and return after a failure or a reload', async () => {
    const page = await openPage()
    for (const field of [page.comment(), page.reply()]) field.setText('First')
    const [comment, reply] = [page.comment().take(), page.reply().take()]
    const shown = () => [page.readComment()?.text, page.readReply()?.text]
    expect(shown()).toEqual(['', ''])
    expect(page.hasDrafts('ana')).toBe(true)
    page.comment().setText('')
    page.reply().setText('')
    // Drafts are read from the disk again, e.g. when old ones are removed.
    dispatchEvent(new StorageEvent('storage', { key: null }))
    expect(shown()).toEqual(['', ''])
    const reloaded = await openPage()
    expect(reloaded.readComment()).toMatchObject({ ...comment, left: [] })
    expect(reloaded.readReply()).toEqual({ ...reply, left: [] })

    page.comment().giveBack(comment.id)
    page.reply().giveBack(reply.id)
    expect(page.readComment()).toMatchObject({ ...comment, left: [] })
    expect(page.readReply()).toEqual({ ...reply, left: [] })
    page.comment().clear(page.comment().take().id)
    page.reply().clear(page.reply().take().id)
    expect(page.hasDrafts('ana')).toBe(false)
    expect(localStorage.length).toBe(0)
  })

  test('FEED-07 FEED-15 STORY-05 a failure loses nothing that was typed since', async () => {
    const page = await openPage()
    page.comment().setText('First')
    page.reply().setText('First')
    const [comment, reply] = [page.comment().take(), page.reply().take()]
    const ada = { threadId: 't', username: 'ada' }
    page.comment().setReplyTo(ada, '@ada ')
    page.reply().setText('Second')
    page.comment().giveBack(comment.id)
    page.reply().giveBack(reply.id)
    expect(page.readReply()).toMatchObject({ text: 'First Second', left: [] })
    expect(page.reply().read().id).not.toBe(reply.id)
    expect(page.readComment()).toMatchObject({
      text: '@ada ',
      replyTo: ada,
      left: [{ id: comment.id, text: 'First', hasFailed: true }],
    })
    expect((await openPage()).readComment()).toMatchObject({ text: '@ada ', left: [{ text: 'First' }] })
    page.comment().restore(comment.id, 'First', null)
    expect(page.readComment()).toMatchObject({ text: 'First @ada ', replyTo: ada, left: [] })
  })

  test('are removed from storage when they are sent or the field is emptied', async () => {
    const page = await openPage()
    page.comment().setText('What a morning')
    page.reply().setText('Where is this?')
    page.comment().clear('another')
    expect(page.readComment()?.text).toBe('What a morning')
    page.comment().clear(page.comment().take().id)
    page.reply().setText('')
    expect(localStorage.length).toBe(0)
    expect([page.readComment(), page.readReply()]).toEqual([null, null])
  })

  test('belong to one member and one server', async () => {
    const page = await openPage()
    page.comment().setText('What a morning')
    expect(page.readComment('bea')).toBeNull()
    expect((await openPage('photos.example')).readComment()).toBeNull()
  })

  test('SET-03 are deleted with the account; those of other members stay', async () => {
    const page = await openPage()
    page.comment().setText('What a morning')
    page.comment('bea').setText('Mine')
    page.clearDrafts('ana')
    expect([page.readComment(), page.readComment('bea')?.text]).toEqual([null, 'Mine'])
    expect(Object.keys(localStorage).filter((key) => key.includes('.ana.'))).toEqual([])
  })

  test('show the text that another window stored', async () => {
    const page = await openPage()
    page.comment().setText('What a morning')
    const other = await openPage()
    other.comment().setText('What a day')
    for (const key of Object.keys(localStorage)) dispatchEvent(new StorageEvent('storage', { key }))
    expect(page.readComment()?.text).toBe('What a day')
  })

  test('stay in memory when storage is full; invalid stored drafts are ignored', async () => {
    const page = await openPage()
    vi.stubGlobal('localStorage', {
      ...localStorage,
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    page.comment().setText('What a morning')
    expect(page.readComment()?.text).toBe('What a morning')
    expect(logged).toHaveBeenCalledWith('store draft', expect.anything())
    for (const broken of ['{', '[]', 'null', '{"text":1,"id":"a"}']) {
      vi.stubGlobal('localStorage', { getItem: () => broken })
      expect((await openPage()).readComment()).toBeNull()
    }
  })
})

interface Words {
  content: string
  location: string
}

const STORED: Words = { content: 'First light', location: 'Porto' }

/** A form on a page that was just loaded. */
async function openForm() {
  vi.resetModules()
  const { useServerInfo } = await import('#/renderer/lib/core/server-info')
  useServerInfo.setState({
    server: {
      kind: 'embedded',
      storageKey: 'embedded',
      url: '',
      publishableKey: '',
      demo: [],
      mailFile: null,
    },
  })
  const { createEditDrafts } = await import('#/renderer/lib/local/draft-store')
  const drafts = createEditDrafts<Words>('test', ['content', 'location'])
  return {
    open: (stored = STORED, me = 'ana') => callHook(() => drafts.use(me, 'post', stored)),
    markSaved: (saved: Words) => drafts.markSaved('ana', 'post', saved),
  }
}

describe('EDIT-02 PROF-13 unsaved changes to stored texts', () => {
  test('survive leaving the form and a restart', async () => {
    const page = await openForm()
    expect(page.open().isChanged).toBe(false)
    page.open().change({ content: 'Last light' })
    expect(page.open()).toMatchObject({
      values: { content: 'Last light', location: 'Porto' },
      isChanged: true,
    })
    expect((await openForm()).open().values.content).toBe('Last light')
    expect(page.open(STORED, 'ben').values).toEqual(STORED)
  })

  test('do not overwrite a field that was changed elsewhere meanwhile', async () => {
    const page = await openForm()
    page.open().change({ content: 'Last light' })
    expect(page.open({ content: 'First light', location: 'Lisbon' }).values).toEqual({
      content: 'Last light',
      location: 'Lisbon',
    })
  })

  test('are removed from storage when they are undone by typing, discarded or saved', async () => {
    const page = await openForm()
    page.open().change({ content: 'Last light' })
    page.open().change({ content: 'First light' })
    expect(localStorage.length).toBe(0)
    page.open().change({ content: 'Last light', location: '' })
    page.open().discard()
    expect(localStorage.length).toBe(0)
    expect(page.open()).toMatchObject({ values: STORED, isChanged: false })
    page.open().change({ location: '' })
    page.markSaved(page.open().values)
    expect(localStorage.length).toBe(0)
  })

  test('typed while a save is in flight stay after the save', async () => {
    const page = await openForm()
    page.open().change({ content: 'Last light' })
    const sent = page.open().values
    page.open().change({ location: 'Lisbon' })
    page.markSaved(sent)
    expect(page.open(sent)).toMatchObject({
      values: { content: 'Last light', location: 'Lisbon' },
      isChanged: true,
    })
  })

  test('are ignored where the stored value is invalid', async () => {
    const page = await openForm()
    page.open().change({ content: 'Last light' })
    for (const key of Object.keys(localStorage))
      localStorage.setItem(key, '{"content":1,"location":"Lisbon"}')
    expect((await openForm()).open().values).toEqual({ content: 'First light', location: 'Lisbon' })
  })
})
