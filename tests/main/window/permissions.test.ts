import { describe, expect, test } from 'vitest'
import { createPageOrigin } from '#/main/server/origin'
import { isGrantable, setupPermissions } from '#/main/window/permissions'
import { words } from '#tests/words'

const NETWORK_NAMES = ['local-network-access', 'loopback-network', 'local-network']
const OURS = 'app://bundle/'

type Guarded = Parameters<typeof setupPermissions>[0]

/** The registered handlers. */
function createTestPermissions() {
  const handlers: {
    request?: Parameters<Guarded['setPermissionRequestHandler']>[0]
    check?: Parameters<Guarded['setPermissionCheckHandler']>[0]
    device?: Parameters<Guarded['setDevicePermissionHandler']>[0]
    display?: Parameters<Guarded['setDisplayMediaRequestHandler']>[0]
  } = {}
  setupPermissions(
    {
      setPermissionRequestHandler: (handler) => {
        handlers.request = handler
      },
      setPermissionCheckHandler: (handler) => {
        handlers.check = handler
      },
      setDevicePermissionHandler: (handler) => {
        handlers.device = handler
      },
      setDisplayMediaRequestHandler: (handler) => {
        handlers.display = handler
      },
    },
    createPageOrigin(undefined),
  )
  const page = {} as Electron.WebContents
  return {
    handlers,
    requests: (name: string, requestingUrl: string, isMainFrame = true) => {
      let granted: boolean | undefined
      const answer = (value: boolean) => {
        granted = value
      }
      handlers.request?.(page, name as 'media', answer, { isMainFrame, requestingUrl })
      return granted
    },
    checks: (name: string, origin: string, details: { isMainFrame: boolean; requestingUrl?: string }) =>
      handlers.check?.(null, name as 'media', origin, details),
  }
}

describe('isGrantable', () => {
  test.each(['clipboard-sanitized-write', 'fullscreen', ...NETWORK_NAMES])('%s for any server', (name) => {
    expect(isGrantable(name)).toBe(true)
  })

  test.each(
    words(`
    media geolocation notifications midi hid usb clipboard-read openExternal unknown
  `),
  )('never %s', (name) => {
    expect(isGrantable(name)).toBe(false)
  })
})

describe('both handlers', () => {
  const local = createTestPermissions()

  test('grants the check to our worker, which has no frame', () => {
    expect(local.checks('loopback-network', 'app://bundle', { isMainFrame: false })).toBe(true)
  })

  test('grants nothing to subframes and foreign origins', () => {
    expect(local.requests('loopback-network', OURS, false)).toBe(false)
    expect(local.requests('loopback-network', 'https://example.com/')).toBe(false)
    expect(local.checks('loopback-network', OURS, { isMainFrame: false, requestingUrl: OURS })).toBe(false)
    expect(local.checks('loopback-network', 'https://example.com/', { isMainFrame: true })).toBe(false)
    expect(local.checks('loopback-network', '', { isMainFrame: false })).toBe(false)
  })

  test('denies devices and screen capture', () => {
    expect(local.handlers.device?.({} as Electron.DevicePermissionHandlerHandlerDetails)).toBe(false)
    let streams: unknown = 'not asked'
    local.handlers.display?.({} as Electron.DisplayMediaRequestHandlerHandlerRequest, (given) => {
      streams = given
    })
    expect(streams).toBeNull()
  })
})
