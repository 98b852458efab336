import { afterAll, beforeAll, describe } from 'vitest'
import { describeBlockedWrites } from '#tests/backend/rights/cases/blocked-writes'
import { describeBlocking } from '#tests/backend/rights/cases/blocking'
import { describeChannels } from '#tests/backend/rights/cases/channels'
import { describeEndedSessions } from '#tests/backend/rights/cases/ended-sessions'
import { describeForgery } from '#tests/backend/rights/cases/forgery'
import { describeFormerNames } from '#tests/backend/rights/cases/former-names'
import { describeMessageExtras } from '#tests/backend/rights/cases/message-extras'
import { describeMessages } from '#tests/backend/rights/cases/messages'
import { describeMutingAndReporting } from '#tests/backend/rights/cases/muting-reporting'
import { describePrivateAccount } from '#tests/backend/rights/cases/private-account'
import { describePrivileges } from '#tests/backend/rights/cases/privileges'
import { describeSideDoors } from '#tests/backend/rights/cases/side-doors'
import { describeStoryExtras } from '#tests/backend/rights/cases/story-extras'
import { describeTokens } from '#tests/backend/rights/cases/tokens'
import { assemble, type Cast } from '#tests/backend/rights/cast'
import { describeMatrix } from '#tests/backend/rights/matrix'
import { openGivenServer } from '#tests/backend/support/given-server'
import { type ServerKind, startServer, type TestServer } from '#tests/backend/support/server'

/** All that is said about rights, on one kind of server; `postgres` is the server that the environment names, if it names one. */
export function describeRights(kind: ServerKind): void {
  describe(`rights on ${kind}`, () => {
    let server: TestServer | undefined
    let assembled: Cast | undefined
    beforeAll(async () => {
      server = (kind === 'postgres' ? await openGivenServer() : null) ?? (await startServer(kind))
      assembled = await assemble(server)
    })
    afterAll(() => server?.close())
    const cast = () => {
      if (!assembled) throw new Error('The test community is not there')
      return assembled
    }
    // PGlite is PostgreSQL: `npm test` tries on a server what depends on its roles and sessions, and all of it on PGlite.
    describeTokens(cast)
    describeEndedSessions(cast)
    describeSideDoors(cast)
    describeChannels(cast)
    describePrivileges(cast)
    describe('tables', { tags: kind === 'postgres' ? ['long'] : [] }, () => {
      describeMatrix(cast)
      describePrivateAccount(cast)
      describeForgery(cast)
      describeMessages(cast)
      describeMessageExtras(cast)
      describeStoryExtras(cast)
      describeBlocking(cast)
      describeBlockedWrites(cast)
      describeMutingAndReporting(cast)
      describeFormerNames(cast)
    })
  })
}
