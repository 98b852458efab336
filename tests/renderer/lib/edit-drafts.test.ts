import { beforeEach, describe, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '#tests/renderer/local-storage'
import { callHook } from '../page-without-dom'

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))

interface Words {
  content: string
  location: string
}

const STORED: Words = { content: 'First light', location: 'Porto' }

let storage: ReturnType<typeof stubLocalStorage>

beforeEach(() => {
  storage = stubLocalStorage()
})

/** A page just loaded: nothing of the page before is in memory. */
async function openPage() {
  vi.resetModules()
  const { useServerInfo } = await import('#/renderer/lib/server-info')
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
  const { createEditDrafts } = await import('#/renderer/lib/edit-drafts')
  const drafts = createEditDrafts<Words>('test', ['content', 'location'])
  return {
    open: (stored = STORED, me = 'ana') => callHook(() => drafts.use(me, 'post', stored)),
    markSaved: (saved: Words) => drafts.markSaved('ana', 'post', saved),
  }
}

describe('EDIT-02 PROF-13 unsaved changes to stored texts', () => {
  test('survive leaving the form and a restart', async () => {
    const page = await openPage()
    expect(page.open().isChanged).toBe(false)
    page.open().change({ content: 'Last light' })
    expect(page.open()).toMatchObject({
      values: { content: 'Last light', location: 'Porto' },
      isChanged: true,
    })
    expect((await openPage()).open().values.content).toBe('Last light')
    expect(page.open(STORED, 'ben').values).toEqual(STORED)
  })

  test('do not overwrite a field that was changed elsewhere meanwhile', async () => {
    const page = await openPage()
    page.open().change({ content: 'Last light' })
    expect(page.open({ content: 'First light', location: 'Lisbon' }).values).toEqual({
      content: 'Last light',
      location: 'Lisbon',
    })
  })

  test('leave nothing behind when they are typed back, discarded or saved', async () => {
    const page = await openPage()
    page.open().change({ content: 'Last light' })
    page.open().change({ content: 'First light' })
    expect(storage.disk.size).toBe(0)
    page.open().change({ content: 'Last light', location: '' })
    page.open().discard()
    expect(storage.disk.size).toBe(0)
    expect(page.open()).toMatchObject({ values: STORED, isChanged: false })
    page.open().change({ location: '' })
    page.markSaved(page.open().values)
    expect(storage.disk.size).toBe(0)
  })

  test('that were typed after the others were sent stay when those are saved', async () => {
    const page = await openPage()
    page.open().change({ content: 'Last light' })
    const sent = page.open().values
    page.open().change({ location: 'Lisbon' })
    page.markSaved(sent)
    expect(page.open(sent)).toMatchObject({
      values: { content: 'Last light', location: 'Lisbon' },
      isChanged: true,
    })
  })

  test('of which the storage holds something else are ignored', async () => {
    const page = await openPage()
    page.open().change({ content: 'Last light' })
    for (const key of storage.disk.keys()) storage.disk.set(key, '{"content":1,"location":"Lisbon"}')
    expect((await openPage()).open().values).toEqual({ content: 'First light', location: 'Lisbon' })
  })
})
