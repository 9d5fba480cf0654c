import type { QueryClient } from '@tanstack/react-query'

const channelName = 'signed-out'

/** Removes a person's data from this page and its storage, so that the next person at this browser finds nothing. */
function forgetPerson(): void {
  sessionStorage.clear()
  dispatchEvent(new Event('signed-out'))
}

/** Removes the responses to a person from the cache. Public ones stay. */
export function forgetAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey: [route] }) => route !== 'GET /sign-in/options' })
}

/** Removes the person's data here, and tells the other tabs of this browser to do so. */
export function leaveEverywhere(client: QueryClient): void {
  client.clear()
  forgetPerson()
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
  channel.postMessage(null)
  channel.close()
}

/** Removes the person's data when they sign out in another tab. The screen is read again, which leads to the sign-in. */
export function followSignOut(client: QueryClient): void {
  new BroadcastChannel(channelName).addEventListener('message', () => {
    forgetPerson()
    void client.resetQueries()
  })
}
