import { describe, expect, test, vi } from 'vitest'
import { backendHandlers, shellHandlers } from '#/main/bridge-handlers'

describe('the shell', () => {
  const shellWith = (mailFile: string | null, isAllowed = true) => {
    const opened: string[] = []
    const shown: string[] = []
    const handlers = shellHandlers({
      openExternal: (url) => {
        if (isAllowed) opened.push(url)
        return isAllowed
      },
      mailFile: async () => mailFile,
      showInFolder: (path) => shown.push(path),
    })
    return { handlers, opened, shown }
  }

  test('opens an external link, and rejects one that is not allowed', async () => {
    const allowed = shellWith(null)
    await allowed.handlers['shell.openExternal']('https://example.com/')
    expect(allowed.opened).toEqual(['https://example.com/'])

    const refused = shellWith(null, false)
    expect(() => refused.handlers['shell.openExternal']('file:///etc/passwd')).toThrow(
      expect.objectContaining({ code: 'refused' }),
    )
  })

  test('shows the mail file of the embedded server, and rejects if there is none', async () => {
    const embedded = shellWith('/data/mails.txt')
    await embedded.handlers['shell.showMailFile']()
    expect(embedded.shown).toEqual(['/data/mails.txt'])

    const remote = shellWith(null)
    await expect(remote.handlers['shell.showMailFile']()).rejects.toMatchObject({ code: 'no-mail-file' })
    expect(remote.shown).toEqual([])
  })
})

test('exposes state, retry and restore of the backend', () => {
  const backend = { state: () => ({ state: 'ready' as const }), retry: vi.fn(), restore: vi.fn() }
  const handlers = backendHandlers(backend)
  expect(handlers['backend.state']()).toEqual({ state: 'ready' })
  expect(backend.retry).not.toHaveBeenCalled()

  handlers['backend.retry']()
  expect(backend.retry).toHaveBeenCalledOnce()
  expect(backend.restore).not.toHaveBeenCalled()

  handlers['backend.restore']()
  expect(backend.restore).toHaveBeenCalledOnce()
})
