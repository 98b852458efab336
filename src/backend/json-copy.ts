/** The JSON body of a request or response, whose own body stays unread; null if it is not JSON. */
export async function jsonCopy(message: Request | Response): Promise<unknown> {
  return message
    .clone()
    .json()
    .catch(() => null)
}
