import type { Sandbox } from '@signalbox/sandbox'
import type { ChatName } from './network/three-chats.ts'

/** Maps each chat to the request that posts a message. */
const posts: Readonly<Record<ChatName, string>> = {
  slack: 'POST /chat.postMessage',
  discord: 'POST /channels/',
  mattermost: 'POST /posts',
}

/** Has a chat post the next `times` messages and lose the answers on the way back. */
export function loseAnswers(
  { faults }: Pick<Sandbox, 'faults'>,
  times: number,
  provider: ChatName = 'slack',
): void {
  faults.add({ provider, request: posts[provider], fault: { kind: 'cut' }, times })
}
