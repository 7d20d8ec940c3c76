# Starts a server, waits until it responds, adds animals and judges it, and stops it.
set -eu
export PET_ADOPTION_API_KEY=a-key-for-this-run-only

# instead of this line, start your own server
node_modules/.bin/pet-adoption-service --memory --port 18080 --log silent &
server=$!
trap 'kill "$server"' EXIT

timeout 30 sh -c 'until curl -s -o /dev/null http://127.0.0.1:18080/v1/pets; do sleep 0.2; done'

# the profile create adds the animals that the rules about lists need
node_modules/.bin/pet-adoption-conformance http://127.0.0.1:18080/v1 \
  --profile create --format junit=conformance.xml
