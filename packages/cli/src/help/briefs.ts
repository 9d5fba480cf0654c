/** Maps the headings of the overview to commands, each with what it does, in the order of the help. Those of the first are in the order of the README. */
export const groups = {
  'FIRST STEPS': {
    demo: 'Try everything, without an account anywhere',
    start: 'Run the server',
    login: 'Sign in to a server',
    init: 'Set up a project',
    push: 'Send the definition to the server',
    run: 'Run a program with the values as variables',
  },
  'VALUES AND FLAGS': {
    get: 'Show a value, or all',
    set: 'Set a value',
    unset: 'Remove values',
    rules: 'Show, add, change, move and remove the rules of a key',
    turn: 'Turn a flag off in an emergency, and on again',
    rollout: 'Roll a flag out in steps',
    rollouts: 'List, show, pause, advance, stop and restore rollouts',
    pull: 'Write the values to .env.local',
    promote: 'Copy values to another environment',
    history: 'Show the history of an environment',
    restore: 'Restore an earlier version',
  },
  'REQUESTS AND PROOFS': {
    requests: 'List, show, apply, schedule and withdraw change requests',
    approve: 'Open the page on which you approve a request',
    decline: 'Open the page on which you decline a request',
    override: 'Open the page on which you apply a request in an emergency',
    proofs: 'List and show how changes are watched, and end it',
    signals: 'List, show, create, change, test and delete signals',
  },
  'THE DEFINITION': {
    check: 'Check the definition file, offline or against environments',
    diff: 'Compare the definition with the server, or two environments',
    types: 'Write the types of the schema on the server',
    import: 'Import from another product, or a whole database',
    scan: 'Search a build output for secrets',
  },
  'THE ORGANIZATION': {
    environments: 'List, create, change and delete environments',
    previews: 'List, make and delete the previews of pull requests',
    segments: 'List, show, create, change and delete segments',
    webhooks: 'List, create, test, rotate and delete outgoing webhooks',
    targets: 'List, plan and run targets',
    'service-accounts': 'List, add and remove Kubernetes service accounts of keys',
    'agent-tokens': 'List, create and end the tokens of assistants',
    groups: 'List, create, rename and delete groups of members',
    grants: 'List, create, change and end grants',
    access: 'Show what a member or an API key may do, and why',
    apply: 'Apply environments, mappings, routes and webhooks of a file',
    'audit-log': 'Download the audit log',
  },
  PIPELINES: {
    gate: 'Wait until a deployment may go on',
    gates: 'List gates, and the deployments that wait',
    freeze: 'Hold up every deployment to an environment for a while',
    unfreeze: 'End that before its time',
    deployments: 'Report deployments from a pipeline',
    report: 'Upload test results',
  },
  'THIS MACHINE': {
    whoami: 'Show who you are signed in as',
    logout: 'Delete the stored token for a server',
    doctor: 'Find problems in the set-up',
    completion: 'Let the shell complete commands, flags and names',
    mcp: 'Give a coding assistant the tools of the server',
  },
  'THE SERVER': {
    migrate: 'Bring the database to this version',
    export: 'Write the whole database to a file',
    env: 'Show every setting of the server',
    'verify-audit': 'Check the audit log',
    'reset-password': "Reset a person's password",
    'rotate-root-key': 'Replace the root key',
    'publisher-keys': 'List or replace the keys that sign snapshots',
    replica: 'Write what feeds a relay to a file',
    'nats-user': 'Make a user of NATS for a delivery group',
  },
} as const

/**
 * Maps commands to those that share their line of the overview, with what both do. The overview fits on two screens, and each of these
 * is found beside its other half.
 */
export const pairs: Readonly<
  Partial<Record<string, { readonly other: string; readonly brief: string }>>
> = {
  history: { other: 'restore', brief: 'Show the history of an environment; restore a version' },
  approve: { other: 'decline', brief: 'Open the page on which you review a request' },
  environments: {
    other: 'previews',
    brief: 'List and change environments; those of pull requests',
  },
  gate: { other: 'gates', brief: 'Wait until a deployment may go on; list what waits' },
  freeze: { other: 'unfreeze', brief: 'Hold up deployments to an environment; end that' },
}

/** Maps the word of every command to what it does. The overview is made of it, without loading a command. */
export const briefs = {
  ...groups['FIRST STEPS'],
  ...groups['VALUES AND FLAGS'],
  ...groups['REQUESTS AND PROOFS'],
  ...groups['THE DEFINITION'],
  ...groups['THE ORGANIZATION'],
  ...groups.PIPELINES,
  ...groups['THIS MACHINE'],
  ...groups['THE SERVER'],
  // The action starts it. People do not.
  'github-action': 'Run a step of the action',
}
