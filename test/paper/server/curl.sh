#!/usr/bin/env bash
# Places an order with curl and openssl, and reads it back.
# Usage: curl.sh BASE_URL KEY_ID SECRET
set -euo pipefail
base_url=$1 key_id=$2 secret=$3

# signed METHOD PATH [BODY]: the three headers of spec §5 over timestamp + method + path + body.
signed() {
  local timestamp signature
  timestamp=$(date +%s)
  signature=$(printf '%s' "$timestamp$1$2${3-}" | openssl dgst -sha256 -hmac "$secret" -hex | sed 's/^.* //')
  curl --silent --show-error --fail-with-body --request "$1" "$base_url$2" \
    --header "X-Service-Api-Key-Id: $key_id" \
    --header "X-Service-Timestamp: $timestamp" \
    --header "X-Service-Signature: $signature" \
    ${3+--header "Content-Type: application/json" --data-binary "$3"}
}

placed=$(signed POST /v1/order '{"symbol":"BTC","side":"buy","size":0.001,"order_type":"limit","price":30000}')
order_id=$(sed 's/.*"order_id":"\([^"]*\)".*/\1/' <<<"$placed")
signed GET "/v1/orders/$order_id"
