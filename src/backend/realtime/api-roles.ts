/** The roles that a caller may have, in the database and in a token. */
export const API_ROLES = ['anon', 'authenticated', 'service_role'] as const
