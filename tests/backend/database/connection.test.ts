import { expect, test } from 'vitest'
import { signUp } from '#tests/backend/support/members'
import { startServer } from '#tests/backend/support/server'

test('role and claims of a request end with its transaction', async () => {
  const server = await startServer('pglite')
  try {
    const { client, id } = await signUp(server, 'ada')
    const { data, error } = await client.from('profiles').select('id').eq('id', id)
    expect(error).toBeNull()
    expect(data).toEqual([{ id }])
    const [after] = await server.query(
      "select current_user as who, current_setting('request.jwt.claims', true) as claims",
    )
    expect(after).toEqual({ who: 'postgres', claims: '' })
  } finally {
    await server.close()
  }
})
