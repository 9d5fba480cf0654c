import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'

/** Describes something that a user of NATS tries: to send a message, or to listen. */
export type Attempt = { readonly name: string } & (
  | {
      readonly publish: string
      readonly body?: string
      readonly headers?: MsgHdrs
      /** Asks for no answer. Default: false */
      readonly silent?: boolean
    }
  | { readonly subscribe: string }
)

/** Names whose node tries, and of whom it tries to learn something. */
export interface AttemptScope {
  readonly bucket: string
  readonly own: { readonly group: string; readonly orgId: string; readonly key: string }
  readonly other: { readonly group: string; readonly orgId: string; readonly key: string }
}

/**
 * Lists what a node of one group must not be able to do: to read the objects of another group by any call of JetStream, to change
 * anything, to say what only the publisher says, and to listen to what is for others.
 */
export function listAttempts({ bucket, own, other }: AttemptScope): Attempt[] {
  const stream = `KV_${bucket}`
  const subject = (key: string) => `$KV.${bucket}.${key}`
  const call = (name: string) => `$JS.API.${name}`
  const json = (value: object) => JSON.stringify(value)
  const consumer = (config: object) => json({ stream_name: stream, config })
  const marker = headers()
  marker.set('KV-Operation', 'PURGE')
  marker.set('Nats-Rollup', 'sub')
  const quiet = { ack_policy: 'none', deliver_policy: 'all' }
  return [
    { name: 'gets a foreign key', publish: call(`DIRECT.GET.${stream}.${subject(other.key)}`) },
    {
      name: 'gets a foreign index',
      publish: call(`DIRECT.GET.${stream}.${subject(`_g.${other.group}.mark`)}`),
    },
    {
      name: 'gets a foreign key by the body',
      publish: call(`DIRECT.GET.${stream}`),
      body: json({ last_by_subj: subject(other.key) }),
    },
    { name: 'gets by sequence', publish: call(`DIRECT.GET.${stream}`), body: json({ seq: 1 }) },
    {
      name: 'gets what comes next',
      publish: call(`DIRECT.GET.${stream}`),
      body: json({ seq: 1, next_by_subj: subject('>') }),
    },
    {
      name: 'gets many at once',
      publish: call(`DIRECT.GET.${stream}`),
      body: json({ batch: 9, multi_last: [subject('>')] }),
    },
    {
      name: 'gets a message by sequence',
      publish: call(`STREAM.MSG.GET.${stream}`),
      body: json({ seq: 1 }),
    },
    {
      name: 'gets a message by subject',
      publish: call(`STREAM.MSG.GET.${stream}`),
      body: json({ last_by_subj: subject(other.key) }),
    },
    {
      name: 'reads the subjects of the stream',
      publish: call(`STREAM.INFO.${stream}`),
      body: json({ subjects_filter: '>' }),
    },
    { name: 'lists streams', publish: call('STREAM.LIST') },
    { name: 'lists names of streams', publish: call('STREAM.NAMES') },
    { name: 'reads the account', publish: call('INFO') },
    {
      name: 'makes a consumer without a filter',
      publish: call(`CONSUMER.CREATE.${stream}`),
      body: consumer({ ...quiet, deliver_subject: `_INBOX_${own.group}.a` }),
    },
    {
      name: 'makes a consumer with a foreign filter',
      publish: call(`CONSUMER.CREATE.${stream}.b.${subject(`${other.orgId}.>`)}`),
      body: consumer({
        ...quiet,
        name: 'b',
        filter_subject: subject(`${other.orgId}.>`),
        deliver_subject: `_INBOX_${own.group}.b`,
      }),
    },
    {
      name: 'makes a consumer with its own filter, which delivers to others',
      publish: call(`CONSUMER.CREATE.${stream}.c.${subject(`${own.orgId}.>`)}`),
      body: consumer({
        ...quiet,
        name: 'c',
        filter_subject: subject(`${own.orgId}.>`),
        deliver_subject: `_INBOX_${other.group}.c`,
      }),
    },
    {
      name: 'makes a durable consumer',
      publish: call(`CONSUMER.DURABLE.CREATE.${stream}.d`),
      body: consumer({ ...quiet, ack_policy: 'explicit', durable_name: 'd' }),
    },
    { name: 'lists consumers', publish: call(`CONSUMER.LIST.${stream}`) },
    {
      name: 'takes the next message of a consumer',
      publish: call(`CONSUMER.MSG.NEXT.${stream}.d`),
      body: json({ batch: 1, no_wait: true }),
    },
    { name: 'deletes a consumer', publish: call(`CONSUMER.DELETE.${stream}.d`) },
    { name: 'puts with an acknowledgement', publish: subject(`${own.orgId}.x`), body: 'forged' },
    { name: 'puts without one', publish: subject(`${own.orgId}.x`), body: 'forged', silent: true },
    { name: 'puts a foreign key', publish: subject(other.key), body: 'forged' },
    {
      name: 'puts the mark of its group',
      publish: subject(`_g.${own.group}.mark`),
      body: 'forged',
    },
    {
      name: 'purges by a marker',
      publish: subject(`${own.orgId}.x`),
      headers: marker,
      silent: true,
    },
    {
      name: 'says what is new in its group',
      publish: `signalbox.${bucket}.now.${own.group}`,
      body: 'forged',
      silent: true,
    },
    {
      name: 'says what is new in another group',
      publish: `signalbox.${bucket}.now.${other.group}`,
      body: 'forged',
      silent: true,
    },
    {
      name: 'answers for the server',
      publish: `_INBOX_${other.group}.x`,
      body: 'forged',
      silent: true,
    },
    {
      name: 'reports as another group',
      publish: `signalbox.${bucket}.report.${other.group}`,
      body: '{}',
      silent: true,
    },
    { name: 'listens to everything', subscribe: '>' },
    { name: 'listens to the stream', subscribe: subject('>') },
    { name: 'listens to its own part of the stream', subscribe: subject(`${own.orgId}.>`) },
    {
      name: 'listens to what is new in another group',
      subscribe: `signalbox.${bucket}.now.${other.group}`,
    },
    { name: 'listens to what is new in every group', subscribe: `signalbox.${bucket}.now.*` },
    { name: 'listens to the reports', subscribe: `signalbox.${bucket}.report.>` },
    { name: 'listens to the answers of others', subscribe: `_INBOX_${other.group}.>` },
    { name: 'listens to the answers of the publisher', subscribe: '_INBOX_publisher.>' },
    { name: 'listens to calls of JetStream', subscribe: '$JS.>' },
    { name: 'listens to the events of the server', subscribe: '$SYS.>' },
    {
      name: 'makes a stream that copies this one',
      publish: call('STREAM.CREATE.COPY'),
      body: json({ name: 'COPY', sources: [{ name: stream }] }),
    },
    {
      name: 'deletes a message',
      publish: call(`STREAM.MSG.DELETE.${stream}`),
      body: json({ seq: 1 }),
    },
    {
      name: 'changes the stream',
      publish: call(`STREAM.UPDATE.${stream}`),
      body: json({ name: stream, subjects: [subject('>')], max_msgs: 1, deny_delete: true }),
    },
    {
      name: 'takes a snapshot of the stream',
      publish: call(`STREAM.SNAPSHOT.${stream}`),
      body: json({ deliver_subject: `_INBOX_${own.group}.s` }),
    },
    { name: 'empties the stream', publish: call(`STREAM.PURGE.${stream}`), body: '{}' },
    { name: 'deletes the stream', publish: call(`STREAM.DELETE.${stream}`) },
  ]
}

/** Receives the answers to what is tried. */
export const attemptsInbox = 'answers.of.attempts'

/** Describes a connection whose rejections are counted. */
export interface WatchedConnection {
  readonly connection: NatsConnection
  /** Holds what the server has said against what this connection did. */
  readonly rejections: readonly string[]
}

/** Collects what the server says against what a connection does. */
export function watchRejections(connection: NatsConnection): WatchedConnection {
  const rejections: string[] = []
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'error') rejections.push(status.error.message)
  })()
  return { connection, rejections }
}

/** Tries it, and returns whether the server refuses it. */
export async function isRefused(
  { connection, rejections }: WatchedConnection,
  attempt: Attempt,
): Promise<boolean> {
  const before = rejections.length
  if ('subscribe' in attempt) {
    const subscription = connection.subscribe(attempt.subscribe, { callback: () => {} })
    await connection.flush()
    subscription.unsubscribe()
  } else {
    const { publish, body = '', silent = false } = attempt
    connection.publish(publish, body, {
      ...(attempt.headers !== undefined && { headers: attempt.headers }),
      ...(!silent && { reply: attemptsInbox }),
    })
    await connection.flush()
  }
  // The server answers in order, so what it refuses has been said. The loop that collects it runs after this.
  await new Promise(setImmediate)
  return rejections.length > before
}
