/** Runs a statement as the database's superuser; only inside `exclusive`. */
export type OwnerQuery = (
  sql: string,
  parameters: unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Account and session data that GoTrue maintains and lite does not. Only inside `exclusive`. */
export interface AuthRecords {
  /** Whether the session exists and is too old to change the account without the password. */
  isStale(session: string): Promise<boolean>
  saveUserAgent(session: string, userAgent: string): Promise<void>
  /**
   * Deletes all refresh tokens of a session except the latest hundred. Supabase Lite never deletes them, and when a client uses an
   * earlier token, it compares all of them with each other.
   */
  forgetOldTokens(session: string): Promise<void>
  /** The id of the account with this e-mail, or null. */
  findAccount(email: string): Promise<string | null>
  /** The id of the account that gave up this e-mail less than seven days ago, or null. The address is held for it. */
  findFormerAccount(email: string): Promise<string | null>
  /** Whether the account, by its e-mail or a former one, has a recovery code that was neither used nor revoked. */
  hasCode(email: string): Promise<boolean>
  revokeCode(email: string): Promise<void>
  /** Replaces the recovery code of an account. `hash` is lite's hash of the address and the code. */
  setCode(account: string, hash: string): Promise<void>
  /** Gives the account of the session its former e-mail back and ends its other sessions. Resolves with the e-mail that it replaces. */
  restoreEmail(email: string, session: string): Promise<string>
  /**
   * Applies an e-mail change for which lite expects a confirmation, and ends the other sessions. GoTrue needs no confirmation with
   * our configuration. Resolves with the former e-mail, or null if nothing changed.
   */
  applyEmailChange(session: string): Promise<string | null>
}

const USER_AGENT_MAX = 400

/** Refresh tokens of a session: those of four days, with the app's one an hour. */
const REFRESH_TOKENS = 100

export function createAuthRecords(query: OwnerQuery): AuthRecords {
  const findId = async (sql: string, email: string) => {
    const [row] = await query(sql, [email])
    return typeof row?.id === 'string' ? row.id : null
  }
  const findAccount = (email: string) =>
    findId('select id from auth.users where email = lower($1) and is_sso_user = false', email)
  const findFormerAccount = (email: string) => findId('select private.former_email_owner($1) as id', email)
  const findAny = async (email: string) => (await findAccount(email)) ?? findFormerAccount(email)

  return {
    isStale: async (session) => {
      const [row] = await query(
        'select not private.is_recent_session(id) as stale from auth.sessions where id = $1',
        [session],
      )
      return row?.stale === true
    },
    saveUserAgent: async (session, userAgent) => {
      await query('update auth.sessions set user_agent = $2 where id = $1', [
        session,
        userAgent.slice(0, USER_AGENT_MAX),
      ])
    },
    forgetOldTokens: async (session) => {
      await query(
        `delete from auth.refresh_tokens where id in (
           select id from auth.refresh_tokens where session_id = $1 order by created_at desc, id desc offset $2
         )`,
        [session, REFRESH_TOKENS],
      )
    },
    findAccount,
    findFormerAccount,
    hasCode: async (email) => {
      const sql = 'select 1 from auth.users where id = $1 and recovery_token is not null'
      return (await query(sql, [await findAny(email)])).length > 0
    },
    revokeCode: async (email) => {
      await query('update auth.users set recovery_token = null where id = $1', [await findAny(email)])
    },
    setCode: async (account, hash) => {
      await query('update auth.users set recovery_token = $2, recovery_sent_at = now() where id = $1', [
        account,
        hash,
      ])
    },
    restoreEmail: async (email, session) => {
      const [account] = await query(
        'select u.email from auth.users u join auth.sessions s on s.user_id = u.id where s.id = $1',
        [session],
      )
      await query('select private.restore_email($1, $2)', [email, session])
      return String(account?.email)
    },
    applyEmailChange: async (session) => {
      const [account] = await query(
        `select u.id, u.email, u.email_change from auth.users u join auth.sessions s on s.user_id = u.id
         where s.id = $1 and u.email_change is not null`,
        [session],
      )
      if (account === undefined) return null
      // First, because a confirmed address would end this session too (private.record_account_change).
      await query(
        `update auth.users set email_change = null, email_change_token_new = null, email_change_token_current = null,
           email_change_sent_at = null, recovery_token = null where id = $1`,
        [account.id],
      )
      await query(
        `with changed as (update auth.users set email = $2 where id = $1 returning id, email)
         update auth.identities i set identity_data = i.identity_data || jsonb_build_object('email', changed.email)
         from changed where i.user_id = changed.id and i.provider = 'email'`,
        [account.id, account.email_change],
      )
      await query('delete from auth.sessions where user_id = $1 and id <> $2', [account.id, session])
      return String(account.email)
    },
  }
}
