import { beforeEach, describe, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '#tests/renderer/local-storage'

const logged = vi.hoisted(() => vi.fn())
vi.mock('#/renderer/lib/logger', () => ({ logFailure: logged }))

let storage: ReturnType<typeof stubLocalStorage>

beforeEach(() => {
  storage = stubLocalStorage()
  logged.mockReset()
})

/** A page just loaded, or a second window; what was in the memory of the one before is gone. */
async function openPage(server = 'embedded') {
  vi.resetModules()
  const { useServerInfo } = await import('#/renderer/lib/server-info')
  useServerInfo.setState({
    server: { kind: 'embedded', storageKey: server, url: '', publishableKey: '', demo: [], mailFile: null },
  })
  const { commentDrafts, commentDraftOf } = await import('#/renderer/features/post/drafts')
  const { replyDrafts, replyDraftOf } = await import('#/renderer/features/stories/viewer/reply-drafts')
  const { clearDrafts } = await import('#/renderer/lib/draft-store')
  return {
    comment: (me = 'ana') => commentDraftOf(me, 'post'),
    readComment: (me = 'ana') => commentDrafts.read(me, 'post'),
    reply: (me = 'ana') => replyDraftOf(me, 'story'),
    readReply: (me = 'ana') => replyDrafts.read(me, 'story'),
    clearDrafts,
  }
}

describe('begun comments and replies', () => {
  test('FEED-07 STORY-05 are there after a reload', async () => {
    const before = await openPage()
    before.comment().setText('What a morning')
    before.reply().setText('Where is this?')
    const { id } = before.reply().read()
    const after = await openPage()
    expect(after.readComment()).toMatchObject({ text: 'What a morning', wasSent: false })
    expect(after.readReply()).toMatchObject({ id, text: 'Where is this?' })
  })

  test('stay under the keys that earlier versions of the app kept them under', async () => {
    const before = await openPage()
    before.comment().setText('What a morning')
    before.reply().setText('Where is this?')
    expect([...storage.disk.keys()]).toEqual([
      'vignette.words.embedded.ana.comment.post',
      'vignette.words.embedded.ana.reply.story',
    ])
  })

  test('sent again after a reload they are the same; with other words they are not', async () => {
    const before = await openPage()
    before.comment().setText('What a morning')
    const { id } = before.comment().take()
    const after = await openPage()
    expect(after.comment().take()).toEqual({ id, text: 'What a morning', wasSent: true })
    after.comment().setText('What a day')
    expect(after.comment().take().id).not.toBe(id)
  })

  test('leave nothing behind once they are sent or taken out of the field', async () => {
    const page = await openPage()
    page.comment().setText('What a morning')
    page.reply().setText('Where is this?')
    page.comment().clear('another')
    expect(page.readComment()?.text).toBe('What a morning')
    page.comment().clear(page.comment().take().id)
    page.reply().setText('')
    expect(storage.disk.size).toBe(0)
    expect([page.readComment(), page.readReply()]).toEqual([null, null])
  })

  test('are nobody else’s, and of one server', async () => {
    const page = await openPage()
    page.comment().setText('What a morning')
    expect(page.readComment('bea')).toBeNull()
    expect((await openPage('photos.example')).readComment()).toBeNull()
  })

  test('SET-03 are gone with the account, other members’ are not', async () => {
    const page = await openPage()
    page.comment().setText('What a morning')
    page.comment('bea').setText('Mine')
    page.clearDrafts('ana')
    expect([page.readComment(), page.readComment('bea')?.text]).toEqual([null, 'Mine'])
    expect([...storage.disk.keys()].filter((key) => key.includes('.ana.'))).toEqual([])
  })

  test('show what another window wrote', async () => {
    const page = await openPage()
    page.comment().setText('What a morning')
    const other = await openPage()
    other.comment().setText('What a day')
    for (const key of storage.disk.keys()) storage.tellOthers({ key })
    expect(page.readComment()?.text).toBe('What a day')
  })

  test.each([
    [29, 'are kept', 'Where is this?'],
    [31, 'are removed', undefined],
  ])('FEED-07 STORY-05 after %i days %s', async (days, _, reply) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const page = await openPage()
      page.reply().setText('Where is this?')
      vi.setSystemTime(Date.now() + days * 86_400_000)
      page.comment().setText('What a morning')
      const after = await openPage()
      expect([after.readReply()?.text, after.readComment()?.text]).toEqual([reply, 'What a morning'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('stay in the page when nothing can be kept, and what is no draft is none', async () => {
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
