import type { QueryClient } from '@tanstack/react-query'

const channelName = 'signed-out'

/** Empties what this page holds of a person, so that the next one at this browser finds nothing of it. */
function forgetPerson(): void {
  sessionStorage.clear()
  dispatchEvent(new Event('signed-out'))
}

/** Empties this page of what the server answered to a person; what it answers to everybody stays. */
export function forgetAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey: [route] }) => route !== 'GET /sign-in/options' })
}

/** Empties this page and tells the others of this browser. */
export function leaveEverywhere(client: QueryClient): void {
  client.clear()
  forgetPerson()
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
  channel.postMessage(null)
  channel.close()
}

/** Empties this page when its person signs out in another one. What it shows is asked for anew, which leads to the sign-in. */
export function followSignOut(client: QueryClient): void {
  new BroadcastChannel(channelName).addEventListener('message', () => {
    forgetPerson()
    void client.resetQueries()
  })
}
