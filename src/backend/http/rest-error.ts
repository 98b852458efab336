/** An error in PostgREST's format, which supabase-js turns into a PostgrestError. */
export function restError(
  status: number,
  code: string,
  message: string,
  details: string | null = null,
  hint: string | null = null,
): Response {
  return Response.json({ code, message, details, hint }, { status })
}
