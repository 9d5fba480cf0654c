/** A row of the organization `own` in each table of integrations and deployments. */
export const integrationRowsSql = `
  insert into integrations (org_id, id, kind, provider, state) values ('own', 'int_1', 'codehost', 'github', 'pending');
  insert into integration_credentials (org_id, integration_id, generation, sealed) values ('own', 'int_1', 1, '\\x00');
  insert into integration_webhooks (org_id, integration_id, sealed, updated_at) values ('own', 'int_1', '\\x00', now());
  insert into oauth_states (org_id, nonce_hash, user_id, provider, cookie_hash, expires_at)
    values ('own', '\\x00', 'usr_1', 'github', '\\x00', now());
  insert into chat_rates (org_id, resource, spent_until, reserved_until) values ('own', 'posts', now(), now());
  insert into integration_revocations (org_id, integration_id, provider, state, give_up_at)
    values ('own', 'int_1', 'github', 'pending', now());
  insert into received_webhooks (id, provider, delivery_id, org_id, event, headers, body, origin)
    values ('dlv_1', 'github', 'g1', 'own', 'push', '{}', '\\x00', 'push'), ('dlv_2', 'github', 'g2', 'foreign', 'push', '{}', '\\x00', 'push');
  insert into repositories (org_id, id, full_name) values ('own', 'rep_1', 'acme/shop');
  insert into host_environments (org_id, repository_id, name_key, name, mapped_by) values ('own', 'rep_1', 'live', 'live', 'none');
  insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, state, source, created_at)
    values ('own', 'dep_1', 'rep_1', '1', 's', 'main', 'branch', 'live', 'success', 'webhook', now());
  insert into deployment_statuses (org_id, deployment_id, external_id, state, at) values ('own', 'dep_1', '1', 'success', now());
  insert into deployment_jobs (org_id, repository_id, external_id, deployment_id) values ('own', 'rep_1', '2', 'dep_1');
  insert into deployment_commits (org_id, deployment_id, position, sha, message) values ('own', 'dep_1', 1, 's', 'm');
  insert into issues (org_id, id, site_id, external_id, key, fetched_at) values ('own', 'iss_1', 's', '1', 'ABC-1', now());
  insert into deployment_issues (org_id, deployment_id, key, state) values ('own', 'dep_1', 'ABC-1', 'linked');
  insert into workflows (org_id, repository_id, external_id, name, path, state, fetched_at)
    values ('own', 'rep_1', '1', 'e2e', 'e2e.yml', 'active', now());
  insert into workflow_dispatches (org_id, id, repository_id, workflow_id, ref, state, requested_by, requested_at)
    values ('own', 'dsp_1', 'rep_1', '1', 'main', 'sent', '{}', now());
  insert into test_runs (org_id, id, deployment_id, name, state) values ('own', 'run_1', 'dep_1', 'e2e', 'planned');
  insert into test_run_events (org_id, repository_id, external_id, run, received_at) values ('own', 'rep_1', '1', '{}', now());
  insert into test_reports (org_id, run_id, attempt, content_hash, format, summary) values ('own', 'run_1', 1, '\\x00', 'ctrf', '{}');
  insert into test_results (org_id, run_id, attempt, case_hash, name, status) values ('own', 'run_1', 1, '\\x00', 'n', 'passed');
  insert into notification_routes (org_id, id, name, channel_id, channel_name, match, events)
    values ('own', 'rte_1', 'r', 'C1', 'general', '{}', '{deployment}');
  insert into notifications (org_id, id, subject_kind, subject_id) values ('own', 'ntf_1', 'deployment', 'dep_1');
  insert into failed_jobs (id, org_id, queue, job_id, data, data_hash, cause, reason, attempts, failed_at)
    values ('job_1', 'own', 'q', gen_random_uuid(), '{}', '\\x00', 'failed', 'r', 1, now()),
      ('job_2', 'foreign', 'q', gen_random_uuid(), '{}', '\\x00', 'failed', 'r', 1, now());
  insert into invitations (org_id, id, email, role, token_hash, invited_by, created_at, expires_at)
    values ('own', 'inv_1', 'carol@example.com', 'viewer', '\\x00', '{}', now(), now());
  insert into syncs (org_id, id, state, progress) values ('own', 'syn_1', 'done', '{}');`
