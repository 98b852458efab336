import { expect, test } from 'vitest'
import { withSqlState } from '#/backend/http/lite-responses'

const RAISED = { code: '55P03', message: 'lock not available', detail: null, hint: null }
const internal = (message: string, code = 'SUP') => Response.json({ code, message }, { status: 500 })

async function partsOf(response: Response) {
  const { code, message } = await response.json()
  return [response.status, code, message]
}

test('an error that lite does not know gets the status, code and message of the database', async () => {
  expect(await partsOf(await withSqlState(internal('failed'), RAISED))).toEqual([
    500,
    '55P03',
    'lock not available',
  ])
})

test.each([
  ['an error with a code', internal('failed', '57014'), RAISED],
  ['an error that the database has not raised', internal('failed'), null],
  ['a success', Response.json({ code: 'SUP', message: 'fine' }), RAISED],
])('%s stays as it is', async (_, response, raised) => {
  expect(await withSqlState(response, raised)).toBe(response)
})
