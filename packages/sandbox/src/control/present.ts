import type { Sandbox } from '../sandbox.ts'
import { stateOf, type Push } from '../stage/push.ts'
import type { PipelineVariables } from '../stage/send-report.ts'
import { presentParticipant } from './participants.ts'

/** Returns the body of `GET /control`: the addresses, the time, who can take part with which settings, and what was set up. */
export function presentSandbox(sandbox: Sandbox) {
  const { origin, addresses, clock, faults, log, stage, cast, settings } = sandbox
  return {
    origin,
    addresses,
    now: clock.now().toISOString(),
    participants: cast.map(presentParticipant),
    pipelines: stage.variables === undefined ? null : presentVariables(stage.variables),
    settings: Object.fromEntries(settings.map(({ name, isOn }) => [name, isOn()])),
    faults: faults.list(),
    codeHosts: stage.hosts().map(({ name }) => name),
    pushes: stage.pushes().map(presentPush),
    requests: log.list().length,
  }
}

/** Leaves the key out: it opens the product, which is no part of this sandbox. */
function presentVariables({ url, organization }: PipelineVariables) {
  return { url, organization }
}

/** Returns a push as the control routes show it. */
export function presentPush(push: Push) {
  const { id, host, scenario, at, ref, sha, environment, messages, deployment, tests, report } =
    push
  const deploymentId = deployment.id()
  return {
    id,
    host,
    scenario,
    at: at.toISOString(),
    ref,
    sha,
    environment,
    messages,
    state: stateOf(push),
    deployment: deploymentId === undefined ? null : { id: deploymentId },
    tests,
    report: report ?? null,
  }
}
