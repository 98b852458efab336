import { afterAll, beforeAll, describe } from 'vitest'
import { openGivenServer } from '#tests/backend/support/given-server'
import { type ServerKind, startServer, type TestServer } from '#tests/backend/support/server'
import { describeBlockedWrites } from '#tests/supabase/rights/cases/blocked-writes'
import { describeBlocking } from '#tests/supabase/rights/cases/blocking'
import { describeChannels } from '#tests/supabase/rights/cases/channels'
import { describeEndedSessions } from '#tests/supabase/rights/cases/ended-sessions'
import { describeForgery } from '#tests/supabase/rights/cases/forgery'
import { describeFormerNames } from '#tests/supabase/rights/cases/former-names'
import { describeGroups } from '#tests/supabase/rights/cases/groups'
import { describeIndirectAccess } from '#tests/supabase/rights/cases/indirect-access'
import { describeMemberStates } from '#tests/supabase/rights/cases/member-states'
import { describeMessageExtras } from '#tests/supabase/rights/cases/message-extras'
import { describeMessages } from '#tests/supabase/rights/cases/messages'
import { describeMutingAndReporting } from '#tests/supabase/rights/cases/muting-reporting'
import { describeObjects } from '#tests/supabase/rights/cases/objects'
import { describePostsWithPhotos } from '#tests/supabase/rights/cases/posts-with-photos'
import { describePrivateAccount } from '#tests/supabase/rights/cases/private-account'
import { describePrivileges } from '#tests/supabase/rights/cases/privileges'
import { describeRequests } from '#tests/supabase/rights/cases/requests'
import { describeSharing } from '#tests/supabase/rights/cases/sharing'
import { describeStatesMatrix } from '#tests/supabase/rights/cases/states-matrix'
import { describeStoryExtras } from '#tests/supabase/rights/cases/story-extras'
import { describeTokens } from '#tests/supabase/rights/cases/tokens'
import { assemble, type Cast } from './cast'
import { describeMatrix } from './matrix'

/** All tests of access rights on a kind of server; `postgres` is the server from the environment variables, if set. */
export function describeRights(kind: ServerKind): void {
  describe(`rights on ${kind}`, () => {
    let opened: TestServer | undefined
    const server = () => {
      if (!opened) throw new Error('The server is not there')
      return opened
    }
    beforeAll(async () => {
      opened = (kind === 'postgres' ? await openGivenServer() : null) ?? (await startServer(kind))
    })
    afterAll(() => opened?.close())

    describeObjects(server)
    describe('in the test community', () => {
      let assembled: Cast | undefined
      beforeAll(async () => {
        assembled = await assemble(server())
      })
      const cast = () => {
        if (!assembled) throw new Error('The test community is not there')
        return assembled
      }
      // PGlite is PostgreSQL, so `npm test` runs all tests on PGlite, and on a server only the tests of roles and tokens.
      const tags = kind === 'postgres' ? ['long'] : []
      describeTokens(cast)
      describePrivileges(cast)
      describe('sessions', { tags }, () => describeEndedSessions(cast))
      describe('tables, functions and channels', { tags }, () => {
        describeIndirectAccess(cast)
        describeChannels(cast)
        describeMatrix(cast)
        describePrivateAccount(cast)
        describePostsWithPhotos(cast)
        describeForgery(cast)
        describeMemberStates(cast)
        describeStatesMatrix(cast)
        describeGroups(cast)
        describeMessages(cast)
        describeMessageExtras(cast)
        describeRequests(cast)
        describeStoryExtras(cast)
        describeSharing(cast)
        describeBlocking(cast)
        describeBlockedWrites(cast)
        describeMutingAndReporting(cast)
        describeFormerNames(cast)
      })
    })
  })
}
