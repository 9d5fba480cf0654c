{{- define "signalbox.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "signalbox.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "signalbox.labels" -}}
{{ include "signalbox.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "signalbox.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default (printf "%s-slim" .Chart.AppVersion) .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The settings of a role whose values are in Secrets, as a YAML map: a list of the context and { role, rootKey }. */}}
{{- define "signalbox.secrets" -}}
{{- $ := index . 0 -}}
{{- $role := (index . 1).role -}}
{{- $nats := $.Values.nats -}}
{{- $secrets := dict -}}
{{- if not (and (eq $role "delivery") $nats.url) -}}
{{- $secrets = set $secrets "DATABASE_URL" $.Values.database -}}
{{- end -}}
{{- if (index . 1).rootKey -}}
{{- $secrets = set $secrets "SIGNALBOX_ROOT_KEY" $.Values.rootKey -}}
{{- end -}}
{{- if and (eq $role "api") $.Values.bootstrapToken.secretName -}}
{{- $secrets = set $secrets "SIGNALBOX_BOOTSTRAP_TOKEN" $.Values.bootstrapToken -}}
{{- end -}}
{{- if and $nats.url (has $role (list "worker" "delivery")) -}}
{{- $secrets = set $secrets "SIGNALBOX_NATS_SEED" (ternary $nats.publisherSeed $nats.seed (eq $role "worker")) -}}
{{- end -}}
{{- if ne $role "migration" -}}
{{- $secrets = merge $secrets $.Values.secretSettings -}}
{{- end -}}
{{- toYaml $secrets -}}
{{- end -}}

{{/* The variables that name the files of these settings: what a process is started with is easier to read than its files. */}}
{{- define "signalbox.secretFiles" -}}
{{- range $name, $secret := fromYaml (include "signalbox.secrets" .) }}
- name: {{ $name }}_FILE
  value: /run/secrets/signalbox/{{ $name }}
{{- end -}}
{{- end -}}

{{/* The volume that holds these files, which only the user and group of the pod read. */}}
{{- define "signalbox.secretVolume" -}}
- name: secrets
  projected:
    # 0440
    defaultMode: 288
    sources:
      {{- range $name, $secret := fromYaml (include "signalbox.secrets" .) }}
      - secret:
          name: {{ $secret.secretName }}
          items:
            - key: {{ $secret.secretKey }}
              path: {{ $name }}
      {{- end }}
{{- end -}}

{{/* The variables with which workers and delivery reach NATS: a list of the context and the role. */}}
{{- define "signalbox.nats" -}}
{{- $role := index . 1 -}}
{{- with (index . 0).Values.nats -}}
{{- if .url -}}
- name: SIGNALBOX_NATS_URL
  value: {{ .url | quote }}
{{- with .ca }}
- name: SIGNALBOX_NATS_CA
  value: {{ . | quote }}
{{- end }}
{{- if eq $role "worker" }}
{{- with .groups }}
- name: SIGNALBOX_NATS_GROUPS
  value: {{ . | quote }}
{{- end }}
{{- else }}
- name: SIGNALBOX_NATS_GROUP
  value: {{ .group | quote }}
- name: SIGNALBOX_PUBLISHER_KEYS
  value: {{ join "," .publisherKeys | quote }}
{{- end }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The lines of a container that every role has. */}}
{{- define "signalbox.container" -}}
image: {{ include "signalbox.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* The lines of a pod that every role and the migration have. */}}
{{- define "signalbox.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{/* The deployment of a role: a list of the context and { role, values, port, rootKey, cache }. */}}
{{- define "signalbox.deployment" -}}
{{- $ := index . 0 -}}
{{- $role := (index . 1).role -}}
{{- $values := (index . 1).values -}}
{{- $port := (index . 1).port -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "signalbox.fullname" $ }}-{{ $role }}
  labels:
    {{- include "signalbox.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- if not (dig "autoscaling" "enabled" false $values) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "signalbox.selector" $ | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  template:
    metadata:
      labels:
        {{- include "signalbox.labels" $ | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
        {{- with $.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/port: '4402'
        {{- with $.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "signalbox.pod" $ | nindent 6 }}
      {{- with $.Values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      # The pause, the ten seconds of an orderly stop, and some to spare.
      terminationGracePeriodSeconds: {{ add $.Values.drainSeconds 20 }}
      containers:
        - name: signalbox
          {{- include "signalbox.container" $ | nindent 10 }}
          env:
            - name: SIGNALBOX_ROLES
              value: {{ $role }}
            {{- include "signalbox.secretFiles" . | nindent 12 }}
            {{- if ne $role "api" }}
            {{- include "signalbox.nats" (list $ $role) | nindent 12 }}
            {{- end }}
            - name: SIGNALBOX_PUBLIC_URL
              value: {{ $.Values.publicUrl | quote }}
            - name: SIGNALBOX_CONFIG_URL
              value: {{ $.Values.configUrl | quote }}
            - name: SIGNALBOX_DATA_DIR
              value: /data/node
            - name: SIGNALBOX_METRICS_PORT
              value: '4402'
            - name: SIGNALBOX_DRAIN_SECONDS
              value: {{ $.Values.drainSeconds | quote }}
            {{- with $.Values.trustedProxies }}
            - name: SIGNALBOX_TRUSTED_PROXIES
              value: {{ join "," . | quote }}
            {{- end }}
            {{- if and (eq $role "delivery") $values.flagd }}
            - name: SIGNALBOX_FLAGD_PORT
              value: '8015'
            {{- end }}
            {{- /* Helm reads every number as a fraction, and would write 20000000 as 2e+07. */}}
            {{- range $name, $value := $.Values.settings }}
            - name: {{ $name }}
              value: {{ ternary (int64 $value) $value (kindIs "float64" $value) | toString | quote }}
            {{- end }}
          ports:
            {{- if ne $role "worker" }}
            - name: http
              containerPort: {{ $port }}
            {{- end }}
            {{- if and (eq $role "delivery") $values.flagd }}
            - name: flagd
              containerPort: 8015
            {{- end }}
            - name: metrics
              containerPort: 4402
          # Migrations and a large number of snapshots take their time; afterwards the other two decide.
          startupProbe:
            httpGet: { path: /readyz, port: metrics }
            periodSeconds: 2
            failureThreshold: 300
          # Says that the process runs, whatever the database does: a restart would mend nothing.
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: {{ ternary "metrics" "http" (eq $role "worker") }} }
            periodSeconds: 2
            timeoutSeconds: 3
            failureThreshold: 2
          {{- with $values.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
            - name: secrets
              mountPath: /run/secrets/signalbox
              readOnly: true
      volumes:
        {{- include "signalbox.secretVolume" . | nindent 8 }}
        - name: data
          emptyDir:
            sizeLimit: {{ default "1Gi" $values.cacheSizeLimit }}
        - name: tmp
          emptyDir:
            sizeLimit: 64Mi
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "signalbox.selector" $ | nindent 14 }}
              app.kubernetes.io/component: {{ $role }}
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}

{{/* The limits of an autoscaler: a list of the context, the role and its values. */}}
{{- define "signalbox.autoscaler" -}}
{{- $ := index . 0 -}}
{{- $role := index . 1 -}}
{{- $scaling := (index . 2).autoscaling -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "signalbox.fullname" $ }}-{{ $role }}
  labels:
    {{- include "signalbox.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "signalbox.fullname" $ }}-{{ $role }}
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $scaling.cpuPercent }}
    {{- with $scaling.streamsPerPod }}
    - type: Pods
      pods:
        metric:
          name: signalbox_streams_open
        target:
          type: AverageValue
          averageValue: {{ . | quote }}
    {{- end }}
    {{- with $scaling.answersPerSecondPerPod }}
    - type: Pods
      pods:
        metric:
          name: signalbox_delivery_answers_per_second
        target:
          type: AverageValue
          averageValue: {{ . | quote }}
    {{- end }}
  behavior:
    # Each pod that goes ends its streams, which come back to the others.
    scaleDown:
      stabilizationWindowSeconds: 300
      policies:
        - type: Pods
          value: 1
          periodSeconds: 60
{{- end -}}
