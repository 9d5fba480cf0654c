import type { Page } from 'playwright-core'
import { press } from './look.ts'
import { choose } from './people/play-people.ts'

/** Describes how a dialog is opened. */
export interface OpenedDialog {
  /** Names the component that renders it. */
  readonly source: string
  /** Holds the address: of the organization, or of the person where it begins with `~`. */
  readonly path: string
  /** Opens it. Absent: the address does. */
  readonly open?: (page: Page) => Promise<void>
}

const pressed = (name: string) => (page: Page) => press(page, name)
const chosen = (menu: string, entry: string) => (page: Page) => choose(page, menu, entry)
const ofSchema = (entry: string) => async (page: Page) => {
  await page.getByRole('main').getByRole('link', { name: 'web', exact: true }).click()
  await choose(page, 'Actions for web', entry)
}

const ofTarget = (entry: string) => async (page: Page) => {
  await page.getByRole('link', { name: 'Workflows of the shop' }).click()
  await choose(page, 'Actions for Workflows of the shop', entry)
}

/** Edits two cells, so that there is something to review and to discard. */
async function editTwoCells(page: Page): Promise<void> {
  for (const [cell, text] of [
    ['cell-3-supportEmail', 'nobody'],
    ['cell-3-checkoutTimeoutMs', '1500'],
  ]) {
    await page.locator(`[id="${cell}"]`).click()
    await page.keyboard.type(text ?? '')
    await page.keyboard.press('Enter')
  }
}

const apply = (button: string) => async (page: Page) => {
  await editTwoCells(page)
  await page.getByRole('button', { name: button }).first().click()
}

/** Lists the dialogs that `night/layers.test.ts` does not open by a button of its own, by their names. */
export const dialogs: Readonly<Record<string, OpenedDialog>> = {
  'create a schema': {
    source: 'CreateSchemaDialog',
    path: '/schemas?panel=create',
  },
  'edit a schema': {
    source: 'EditDialog',
    path: '/schemas',
    open: ofSchema('Edit'),
  },
  'delete a schema': {
    source: 'DeleteSchema',
    path: '/schemas',
    open: ofSchema('Delete'),
  },
  'add a key': {
    source: 'AddKeyDialog',
    path: '/config?panel=add&tier=public',
    async open(page) {
      await page.getByLabel('Name').fill('not a name')
      await page.getByLabel('Type').selectOption('number')
      await page.getByRole('dialog').getByLabel('production', { exact: true }).fill('many')
      await page.getByText('Constraints', { exact: true }).click()
      await page.getByLabel('Minimum', { exact: true }).fill('few')
      await press(page, 'Review')
      await page.getByText('Use a number, such as 3.').waitFor()
    },
  },
  'add a key, reviewed': {
    source: 'AddKeyDialog',
    path: '/config?panel=add&tier=public',
    async open(page) {
      await page.getByLabel('Name').fill('greeting')
      await page.getByRole('dialog').getByLabel('production', { exact: true }).fill('Good morning')
      await press(page, 'Review')
      await page.getByRole('dialog', { name: 'Review greeting' }).waitFor()
    },
  },
  'edit a key': {
    source: 'EditKeyDialog',
    path: '/config?panel=edit&key=checkoutTimeoutMs',
  },
  'edit a key, reviewed': {
    source: 'EditKeyDialog',
    path: '/config?panel=edit&key=checkoutTimeoutMs',
    async open(page) {
      await page.getByLabel('Description (optional)').fill('How long the checkout waits')
      await press(page, 'Review')
      await page.getByRole('dialog', { name: 'Review checkoutTimeoutMs' }).waitFor()
    },
  },
  'delete a key': {
    source: 'DeleteKeyDialog',
    path: '/config?panel=delete&key=welcomeText',
  },
  'about a key': {
    source: 'KeyDialog',
    path: '/config?panel=about&key=checkoutTimeoutMs',
  },
  'copy to environments': {
    source: 'CopyDialog',
    path: '/config?panel=copy&key=apiUrl&from=production',
  },
  'paste a .env file': {
    source: 'PasteDialog',
    path: '/config?panel=paste',
    async open(page) {
      const text = 'API_URL=nowhere\nCHECKOUT_TIMEOUT_MS=many\nUNKNOWN_KEY=1\n= broken\n'
      await page.getByRole('dialog').getByRole('textbox').first().fill(text)
    },
  },
  promote: {
    source: 'PromoteDrawer',
    path: '/config?panel=promote&from=production&to=development',
    async open(page) {
      await page.getByLabel('Only selected keys').check()
      await page.getByRole('checkbox', { name: 'apiUrl' }).check()
      await page.getByRole('button', { name: 'Promote 1 change' }).waitFor()
    },
  },
  review: {
    source: 'ReviewDrawer',
    path: '/config',
    open: apply('Review 2 changes'),
  },
  discard: {
    source: 'DiscardDialog',
    path: '/config',
    open: apply('Discard'),
  },
  'rules of a flag': {
    source: 'FlagDrawer',
    path: '/flags?panel=rules&key=searchV2&from=production',
    async open(page) {
      await press(page, 'Add rule')
      await press(page, 'Add condition')
      await press(page, 'Done')
      await page.getByText('Name an attribute, such as country.').waitFor()
    },
  },
  'delete an environment': {
    source: 'DeleteEnvironment',
    path: '/environments',
    open: chosen('Actions for production', 'Delete'),
  },
  'jump to a moment': {
    source: 'JumpDialog',
    path: '/timeline',
    open: pressed('Jump to a moment'),
  },
  'disconnect a provider': {
    source: 'DisconnectDialog',
    path: '/integrations/tracker',
    open: pressed('Disconnect'),
  },
  'choose a channel': {
    source: 'ChannelDialog',
    path: '/integrations/chat?panel=channel',
  },
  'test with a workflow': {
    source: 'TestWorkflowDialog',
    path: '/integrations/codehost?panel=tests',
  },
  'delete a route': {
    source: 'RouteRow',
    path: '/notifications',
    open: chosen('Actions for Failures', 'Delete'),
  },
  'create an API key': {
    source: 'CreateKeyDialog',
    path: '/keys',
    async open(page) {
      await press(page, 'New key')
      await page.getByLabel('Only selected environments').check()
      await press(page, 'Create key')
      await page.getByText('Select at least one environment.').waitFor()
    },
  },
  'an API key that is shown once': {
    source: 'NewSecret',
    path: '/keys',
    async open(page) {
      await press(page, 'New key')
      await page.getByLabel('Name').fill('shown once')
      await press(page, 'Create key')
      await page.getByRole('region', { name: 'Browser key' }).waitFor()
    },
  },
  'change an API key': {
    source: 'ChangeKeyDialog',
    path: '/keys',
    open: chosen('Actions for ci', 'Change'),
  },
  'rotate an API key': {
    source: 'RotateKeyDialog',
    path: '/keys',
    open: chosen('Actions for ci', 'Rotate'),
  },
  'revoke an API key': {
    source: 'RevokeKeyDialog',
    path: '/keys',
    open: chosen('Actions for ci', 'Revoke'),
  },
  'create an outgoing webhook': {
    source: 'WebhookDialog',
    path: '/outgoing-webhooks',
    async open(page) {
      await press(page, 'New webhook')
      await page.getByLabel('Name').fill('hook')
      await page.getByLabel('Address').fill('nonsense')
      await press(page, 'Create webhook')
      await page
        .getByText(/Use an address such as/)
        .first()
        .waitFor()
    },
  },
  'the secret of an outgoing webhook': {
    source: 'WebhookSecret',
    path: '/outgoing-webhooks',
    async open(page) {
      await choose(page, 'Actions for Audit', 'New secret')
      await press(page, 'Make a new secret')
      await page.getByRole('region', { name: 'Signing secret' }).waitFor()
    },
  },
  'a new secret for an outgoing webhook': {
    source: 'RotateWebhookDialog',
    path: '/outgoing-webhooks',
    open: chosen('Actions for Audit', 'New secret'),
  },
  'messages of an outgoing webhook': {
    source: 'MessagesDrawer',
    path: '/outgoing-webhooks',
    open: chosen('Actions for Audit', 'Messages'),
  },
  'delete an outgoing webhook': {
    source: 'WebhookRow',
    path: '/outgoing-webhooks',
    open: chosen('Actions for Audit', 'Delete'),
  },
  'create a signal': {
    source: 'CreateSignalDialog',
    path: '/signals?signal=new',
    async open(page) {
      await page.getByLabel('Name').fill('health')
      await page.getByLabel('A page').check()
      await page.getByLabel('Address').fill('https://shop.example.com/health')
      await page.getByLabel('Good when it answers with').selectOption('value')
      await page.getByLabel('Where the value stands').fill('nonsense')
      await page.getByLabel('Limit').fill('2')
      await press(page, 'Create signal')
      await page.getByText(/Use a JSON pointer/).waitFor()
    },
  },
  'create a target': {
    source: 'CreateTargetDialog',
    path: '/targets?panel=create',
    async open(page) {
      await page.getByText('Single keys').click()
      await page.getByLabel('Prefix of every name (optional)').fill('shop')
      await page.getByLabel('Repository').fill('nonsense')
      await press(page, 'Create target')
      await page.getByRole('alert').first().waitFor()
    },
  },
  'change a target': {
    source: 'ChangeTargetDialog',
    path: '/targets',
    open: ofTarget('Change'),
  },
  'delete a target': {
    source: 'DeleteTargetDialog',
    path: '/targets',
    open: ofTarget('Delete'),
  },
  'change a role': {
    source: 'RoleDialog',
    path: '/members',
    open: chosen('Actions for Lin', 'Change role'),
  },
  'remove a member': {
    source: 'RemoveMember',
    path: '/members',
    open: chosen('Actions for Lin', 'Remove'),
  },
  'delete the organization': {
    source: 'DangerPanel',
    path: '/settings',
    open: (page) => page.getByRole('button', { name: /^Delete / }).click(),
  },
  'new organization': {
    source: 'CreateOrganization',
    path: '~/orgs',
    open: pressed('New organization'),
  },
  'new agent token': {
    source: 'CreateAgentTokenDialog',
    path: '/keys',
    open: pressed('New agent token'),
  },
  'end an agent token': {
    source: 'AgentTokenRow',
    path: '/keys',
    async open(page) {
      await press(page, 'New agent token')
      await page.getByRole('dialog').getByLabel('Name').fill('assistant')
      await press(page, 'Create token')
      await press(page, 'I have copied it')
      await page.getByRole('button', { name: 'End assistant' }).first().click()
      await page.getByRole('dialog', { name: 'End assistant?' }).waitFor()
    },
  },
  'new personal access token': {
    source: 'CreateTokenDialog',
    path: '~/account',
    open: pressed('New token'),
  },
  'second factor': {
    source: 'EnrolDialog',
    path: '~/account',
    open: pressed('Set it up'),
  },
}

/** Maps each other component that renders a dialog to the test that opens it and looks at it. */
export const openedElsewhere: Readonly<Record<string, string>> = {
  GroupDialog: 'people/people-access.test.ts',
  DeleteGroup: 'people/people-access.test.ts',
  GroupDrawer: 'people/people-access.test.ts',
  GrantDialog: 'people/people-access.test.ts',
  GrantForm: 'people/people-access.test.ts',
  EndGrant: 'people/people-access.test.ts',
  MemberDrawer: 'people/people-access.test.ts',
  KeyDrawer: 'people/people-access.test.ts',
  AddDomainDialog: 'people/people-sign-on.test.ts',
  RemoveDomainDialog: 'people/people-sign-on.test.ts',
  CreateDialog: 'people/people-sign-on.test.ts',
  EndDialog: 'people/people-sign-on.test.ts',
  AddDialog: 'people/people-sign-on.test.ts',
  SecretReplacement: 'people/people-sign-on.test.ts',
  RemoveDialog: 'people/people-sign-on.test.ts',
  EndSessions: 'people/people-settings.test.ts',
  useSave: 'people/people-settings.test.ts',
  SecretReadsDialog: 'people/people-keys.test.ts',
  RecoveryCodes: 'people/people-account.test.ts',
  RevokeTokenDialog: 'people/people-account.test.ts',
  SecondFactorPanel: 'people/people-account.test.ts',
  DeleteDialog: 'night/layers.test.ts',
  SegmentEditor: 'config/segments.test.ts',
  SignalAddress: 'proofs.test.ts',
  ChangeSignalDialog: 'proofs.test.ts',
  TestSignalDialog: 'proofs.test.ts',
  NewSecretDialog: 'proofs.test.ts',
  DeleteSignalDialog: 'proofs.test.ts',
  ProofDrawer: 'proofs.test.ts',
  StopProofDialog: 'proofs.test.ts',
  GateDialog: 'gates.test.ts',
  DeleteGate: 'gates.test.ts',
  CommentDialog: 'gates.test.ts',
  FreezeDialog: 'gates.test.ts',
  EditRequest: 'change-requests.test.ts',
  ScheduleRequest: 'change-requests.test.ts',
  OverrideRequest: 'change-requests.test.ts',
  WithdrawRequest: 'change-requests.test.ts',
  RolloutDialog: 'change-requests.test.ts',
  PressDialog: 'change-requests.test.ts',
  ExportDialog: 'night/layers.test.ts',
  RunWorkflow: 'night/layers.test.ts',
  EnvironmentDialog: 'night/layers.test.ts',
  RestoreDrawer: 'night/layers.test.ts',
  VersionDrawer: 'night/layers.test.ts',
  RuleDialog: 'night/layers.test.ts',
  ProviderAppDialog: 'night/integrations-trouble.test.ts',
  EndFormerSecret: 'night/people-settings.test.ts',
  ForgetApp: 'night/people-settings.test.ts',
  InviteDialog: 'night/layers.test.ts',
  RouteDialog: 'night/layers.test.ts',
  DeleteSegment: 'config/segments.test.ts',
  OpenSegment: 'config/segments.test.ts',
  RestoreSegment: 'config/segments.test.ts',
  SegmentDrawer: 'config/segments.test.ts',
  DeliveryDrawer: 'night/layers.test.ts',
}
