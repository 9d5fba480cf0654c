import { createInterface } from 'node:readline'
import { defineCommand } from '../../action.ts'
import { createRelay } from '../../mcp/relay.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { cliVersion } from '../../version.ts'

async function serveMcp(session: Session): Promise<void> {
  if (session.flags.tokenStdin === true) {
    throw new CliError('usage', 'no_token', 'stdin carries the messages of the assistant.', {
      advice: 'Set SIGNALBOX_TOKEN, or signalbox login.',
    })
  }
  const { serverUrl, token } = await session.api()
  const url = new URL(`${serverUrl}/mcp`)
  const organization = (await session.project())?.project.organization
  // A personal access token may reach several organizations. An agent token has its own.
  if (organization !== undefined) url.searchParams.set('organization', organization)
  const userAgent = `signalbox-cli/${cliVersion()}`
  const relay = createRelay({ url: url.href, token, userAgent })
  const pending = new Set<Promise<void>>()
  for await (const line of createInterface({ input: session.stdin, crlfDelay: Infinity })) {
    const answered = relay(line).then((answer) => {
      if (answer !== undefined) session.output.raw(`${answer}\n`)
      pending.delete(answered)
      return undefined
    })
    pending.add(answered)
    // The beginning agrees on what the other messages name.
    if (line.includes('"initialize"')) await answered
  }
  await Promise.all(pending)
}

/** Defines `signalbox mcp`. */
export const mcpCommand = defineCommand({
  about:
    'Speaks the Model Context Protocol. An assistant starts it, and reads deployments, configuration and flags with the token of SIGNALBOX_TOKEN or of login. With a personal access token it only reads and proposes; to apply changes, make an agent token in the dashboard. It never sees a secret.',
  examples: [
    'claude mcp add signalbox -- signalbox mcp',
    'SIGNALBOX_TOKEN=sbx_agt_… signalbox mcp --server https://signalbox.example.com',
  ],
  run: serveMcp,
})
