import { expect, test } from 'vitest'
import { BRIDGE_ERROR_CODES, BridgeError, bridgeErrorCode, FILE_TOO_LARGE } from '#/shared/bridge-error'

test('the code can be read from the message, the only part that contextBridge keeps', () => {
  for (const code of BRIDGE_ERROR_CODES) {
    const crossed = new Error(new BridgeError(code, 'Some: words').message)
    expect(bridgeErrorCode(crossed)).toBe(code)
  }
})

test('the code can be read from the property `code`', () => {
  expect(bridgeErrorCode(Object.assign(new Error('file too large'), { code: FILE_TOO_LARGE }))).toBe(
    FILE_TOO_LARGE,
  )
})

test('other errors and other values have no code', () => {
  expect(bridgeErrorCode(new Error('nothing: of ours'))).toBeNull()
  expect(bridgeErrorCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBeNull()
  expect(bridgeErrorCode('refused: by a string')).toBeNull()
  expect(bridgeErrorCode(undefined)).toBeNull()
})
