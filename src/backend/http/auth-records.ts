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
  hasAccount(email: string): Promise<boolean>
  /** Whether the account has a recovery code that was neither used nor revoked. */
  hasCode(email: string): Promise<boolean>
  revokeCode(email: string): Promise<void>
  /** Applies an e-mail change for which lite expects a confirmation. GoTrue needs none with our configuration. */
  applyEmailChange(session: string): Promise<void>
}

const USER_AGENT_MAX = 400

export function createAuthRecords(query: OwnerQuery): AuthRecords {
  const findAccount = async (email: string) => {
    const [row] = await query(
      'select recovery_token is not null as has_code from auth.users where email = lower($1) and is_sso_user = false',
      [email],
    )
    return row
  }

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
    hasAccount: async (email) => (await findAccount(email)) !== undefined,
    hasCode: async (email) => (await findAccount(email))?.has_code === true,
    revokeCode: async (email) => {
      await query('update auth.users set recovery_token = null where email = lower($1)', [email])
    },
    applyEmailChange: async (session) => {
      await query(
        `with changed as (
          update auth.users set
            email = email_change, email_change = null, email_change_token_new = null,
            email_change_token_current = null, email_change_sent_at = null, recovery_token = null
          where id = (select user_id from auth.sessions where id = $1) and email_change is not null
          returning id, email
        )
        update auth.identities i set identity_data = i.identity_data || jsonb_build_object('email', changed.email)
        from changed where i.user_id = changed.id and i.provider = 'email'`,
        [session],
      )
    },
  }
}
