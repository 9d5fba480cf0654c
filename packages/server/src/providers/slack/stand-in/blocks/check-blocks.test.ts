import type { KnownBlock } from '@slack/types'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { connect } from '../testing/slack-client.ts'

const sandbox = await openSandbox()

async function post(blocks: unknown) {
  const { call } = await connect(sandbox)
  return call('chat.postMessage', { channel: 'C0GENERAL1', text: 'Deployed', blocks })
}

const mrkdwn = (length: number) => ({ type: 'mrkdwn', text: 'x'.repeat(length) }) as const
const plain = (length: number) => ({ type: 'plain_text', text: 'x'.repeat(length) }) as const
const image = {
  type: 'image',
  image_url: 'https://acme.example/chart.png',
  alt_text: 'Requests per second',
} as const
const button = {
  type: 'button',
  text: plain(75),
  url: 'https://acme.example',
  style: 'primary',
} as const

describe('blocks', () => {
  it('are taken in every kind, up to each limit', async () => {
    const blocks: KnownBlock[] = [
      { type: 'header', text: plain(150), block_id: 'head' },
      { type: 'section', text: mrkdwn(3_000), accessory: button },
      { type: 'section', fields: Array.from({ length: 10 }, () => mrkdwn(300)) },
      { type: 'section', fields: [mrkdwn(2_000), plain(1)], accessory: image },
      { type: 'context', elements: [...Array.from({ length: 9 }, () => mrkdwn(1)), image] },
      { type: 'divider' },
      {
        type: 'actions',
        elements: Array.from({ length: 25 }, () => ({ ...button, text: plain(1) })),
      },
      { ...image, title: plain(10) },
    ]
    expect(await post(blocks)).toMatchObject({ ok: true })
    expect(await post(Array.from({ length: 50 }, () => ({ type: 'divider' })))).toMatchObject({
      ok: true,
    })
  })

  it.each([
    ['no JSON', '[{'],
    ['no list', { type: 'divider' }],
    ['a word', 'divider'],
  ])('that are %s are refused with invalid_blocks_format', async (_, blocks) => {
    expect(await post(blocks)).toMatchObject({ ok: false, error: 'invalid_blocks_format' })
  })

  it.each<[problem: string, blocks: readonly unknown[]]>([
    [
      'no more than 50 items allowed [json-pointer:/blocks]',
      Array.from({ length: 51 }, () => ({ type: 'divider' })),
    ],
    ['unsupported type: shout [json-pointer:/blocks/0/type]', [{ type: 'shout' }]],
    ['unsupported type: undefined [json-pointer:/blocks/0/type]', ['divider']],
    [
      'must be less than 3001 characters [json-pointer:/blocks/1/text/text]',
      [{ type: 'divider' }, { type: 'section', text: mrkdwn(3_001) }],
    ],
    [
      'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
      [{ type: 'section', text: mrkdwn(0) }],
    ],
    ['missing required field: text [json-pointer:/blocks/0]', [{ type: 'section' }]],
    ['missing required field: text [json-pointer:/blocks/0]', [{ type: 'header' }]],
    [
      'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
      [{ type: 'header', text: plain(151) }],
    ],
    [
      'must be one of: plain_text [json-pointer:/blocks/0/text/type]',
      [{ type: 'header', text: mrkdwn(1) }],
    ],
    [
      'no more than 10 items allowed [json-pointer:/blocks/0/fields]',
      [{ type: 'section', fields: Array.from({ length: 11 }, () => mrkdwn(1)) }],
    ],
    [
      'must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]',
      [{ type: 'section', fields: [mrkdwn(2_001)] }],
    ],
    [
      'no more than 10 items allowed [json-pointer:/blocks/0/elements]',
      [{ type: 'context', elements: Array.from({ length: 11 }, () => mrkdwn(1)) }],
    ],
    [
      'no fewer than 1 items allowed [json-pointer:/blocks/0/elements]',
      [{ type: 'context', elements: [] }],
    ],
    [
      'unsupported type: button [json-pointer:/blocks/0/elements/0/type]',
      [{ type: 'context', elements: [button] }],
    ],
    [
      'no more than 25 items allowed [json-pointer:/blocks/0/elements]',
      [{ type: 'actions', elements: Array.from({ length: 26 }, () => button) }],
    ],
    [
      'must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]',
      [{ type: 'actions', elements: [{ ...button, text: plain(76) }] }],
    ],
    [
      'must be less than 3001 characters [json-pointer:/blocks/0/elements/0/url]',
      [{ type: 'actions', elements: [{ ...button, url: 'x'.repeat(3_001) }] }],
    ],
    [
      '`action_id` go already exists [json-pointer:/blocks/0/elements/1]',
      [
        {
          type: 'actions',
          elements: [
            { ...button, action_id: 'go' },
            { ...button, action_id: 'go' },
          ],
        },
      ],
    ],
    [
      '`block_id` one already exists [json-pointer:/blocks/1]',
      [
        { type: 'divider', block_id: 'one' },
        { type: 'divider', block_id: 'one' },
      ],
    ],
    [
      'invalid additional property: color [json-pointer:/blocks/0]',
      [{ type: 'divider', color: 'red' }],
    ],
    [
      'missing required field: alt_text [json-pointer:/blocks/0]',
      [{ type: 'image', image_url: image.image_url }],
    ],
    [
      'must be a valid URI [json-pointer:/blocks/0/image_url]',
      [{ ...image, image_url: 'chart.png' }],
    ],
    ['must be a string [json-pointer:/blocks/0/alt_text]', [{ ...image, alt_text: 1 }]],
    ['must be an object [json-pointer:/blocks/0/text]', [{ type: 'header', text: 'Deployed' }]],
    ['must be an array [json-pointer:/blocks/0/elements]', [{ type: 'actions', elements: button }]],
    [
      'must be a boolean [json-pointer:/blocks/0/text/emoji]',
      [{ type: 'header', text: { ...plain(1), emoji: 'yes' } }],
    ],
  ])('are refused with invalid_blocks: %s', async (problem, blocks) => {
    expect(await post(blocks)).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [problem],
      response_metadata: { messages: [`[ERROR] ${problem}`] },
    })
  })

  it('are refused with msg_blocks_too_long when all texts together exceed about 13,200 characters', async () => {
    const sections = (last: number) =>
      [3_000, 3_000, 3_000, 3_000, last].map((length) => ({
        type: 'section',
        text: mrkdwn(length),
      }))
    expect(await post(sections(1_200))).toMatchObject({ ok: true })
    expect(await post(sections(1_201))).toEqual({ ok: false, error: 'msg_blocks_too_long' })
  })
})
