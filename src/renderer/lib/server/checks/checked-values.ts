import { AppError } from '#/renderer/lib/core/errors'
import { isUuid } from '#/renderer/lib/core/uuid'

// By hand: a schema library would add 7 KB to the first load.

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isIdList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string' && isUuid(id))
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** A count that the server sent. Throws an `AppError` if it is anything else. */
export function toCount(value: unknown): number {
  if (!isCount(value)) throw new AppError('server', '', 'not a count')
  return value
}
