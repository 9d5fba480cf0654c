import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodiesOf } from './testing/posted-bodies.ts'
import { hostileView } from '../../notifications/testing/hostile-view.ts'
import { listMessageSamples } from '../../notifications/testing/message-samples.ts'
import { toChange, toCompact } from '../../notifications/messages/render-notice.ts'
import { renderDeploymentMessage } from '../../notifications/messages/render-deployment-message.ts'
import { renderFailure, renderThread } from '../../notifications/messages/render-thread.ts'

const page = 'https://signalbox.acme.dev/deployments/dep_1'

describe('what is posted', () => {
  it('is byte for byte what it was, for every message there is', async () => {
    const lines: string[] = []
    for (const { name, message } of listMessageSamples()) {
      const [post, update] = await bodiesOf(message)
      lines.push(`# ${name}`, post)
      // The same content under another address.
      expect(JSON.parse(update)).toEqual({ ...contentOf(post), channel: 'C1', ts: '1.000001' })
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('posted-messages.txt')
  })

  it('is byte for byte what it was, for 500 deployments as bad as anybody could write them', async () => {
    const digests: string[] = []
    for (const view of fc.sample(hostileView, { seed: 20_261_122, numRuns: 500 })) {
      const message = renderDeploymentMessage(view, page)
      const details = renderThread(view, page)
      const messages = [
        message,
        details,
        renderFailure(view),
        toCompact(message, page),
        toChange(message),
      ]
      const hash = createHash('sha256')
      for (const each of messages) {
        if (each !== undefined) hash.update((await bodiesOf(each)).join('\n'))
      }
      digests.push(hash.digest('hex').slice(0, 16))
    }
    await expect(`${digests.join('\n')}\n`).toMatchFileSnapshot('posted-messages.digests.txt')
  })

  it('control: another word in a message is another body', async () => {
    const [sample] = listMessageSamples()
    if (sample === undefined) throw new Error('There is no sample.')
    const [body] = await bodiesOf(sample.message)
    expect((await bodiesOf(toChange(sample.message)))[0]).not.toBe(body)
  })
})

function contentOf(post: string): Readonly<Record<string, unknown>> {
  const { text, blocks, parse, link_names } = JSON.parse(post) as Readonly<Record<string, unknown>>
  return { text, blocks, parse, link_names }
}
