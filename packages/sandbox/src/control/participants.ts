import type { Participant, ParticipantPage } from '../models/stand-in.ts'
import type { Sandbox } from '../sandbox.ts'

type Cast = Pick<Sandbox, 'cast'>

/** Returns the pages of those who take part, in this order of their kinds. */
export function pagesOf(
  { cast, participants }: Cast & Pick<Sandbox, 'participants'>,
  kinds: readonly Participant['kind'][],
): readonly ParticipantPage[] {
  return kinds.flatMap((kind) =>
    cast
      .filter(({ name, kind: own }) => own === kind && participants.includes(name))
      .flatMap(({ pages }) => pages?.() ?? []),
  )
}

/** Returns the settings with which the product uses these participants, by the names of environment variables. */
export function settingsOf(
  sandbox: Cast,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.assign({}, ...names.map((name) => getParticipant(sandbox, name).settings()))
}

/** Enters the addresses of the product, which answers at `service`, where these participants know its application. */
export async function register(
  sandbox: Cast,
  service: string,
  names: readonly string[],
): Promise<void> {
  const usual = usualParticipants(sandbox)
  for (const participant of names.map((name) => getParticipant(sandbox, name))) {
    const owner = getParticipant(sandbox, participant.sharesWith ?? participant.name)
    const callbackUrl = `${service}/integrations/${owner.kind}/oauth/callback`
    // The first of a kind keeps the address that all had when there was one of each.
    const address = usual.includes(owner) ? owner.kind : owner.name
    await owner.register?.({ callbackUrl, webhookUrl: `${service}/webhooks/${address}` })
  }
}

function getParticipant({ cast }: Cast, name: string): Participant {
  const participant = cast.find((one) => one.name === name)
  if (participant === undefined) throw new Error(`No provider of the sandbox is named ${name}`)
  return participant
}

/** Returns the first participant of each kind. */
export function usualParticipants({ cast }: Cast): readonly Participant[] {
  return cast.filter(({ kind }, index) => cast.findIndex((one) => one.kind === kind) === index)
}

/** Returns a participant as the control routes show it. */
export function presentParticipant(participant: Participant) {
  const { name, title, kind, sharesWith, settings, form, projectKeys, testWorkflow, channel } =
    participant
  const channelId = channel?.()
  const page = participant.pages?.().find(({ id }) => id === `channel-${channelId}`)
  return {
    name,
    title,
    kind,
    sharesWith: sharesWith ?? null,
    settings: settings(),
    form: form?.() ?? null,
    projectKeys: projectKeys ?? [],
    testWorkflow: testWorkflow ?? null,
    channel: channelId === undefined ? null : { id: channelId, url: page?.url ?? '' },
  }
}
