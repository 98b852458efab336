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

export function busy(): Response {
  const response = restError(503, 'PT503', 'The server is busy')
  response.headers.set('retry-after', '5')
  return response
}
