# The original's event loop and limits, with 12 workers in place of 4: that gave it the most on two cores.
worker_processes 12
timeout 30
preload_app true
listen "127.0.0.1:#{ENV.fetch('PORT')}", backlog: 4096
logger Logger.new($stderr, level: Logger::ERROR)

Rainbows! do
  use :EventMachine
  worker_connections 400
  client_max_body_size nil
  keepalive_timeout Integer(ENV.fetch('KEEPALIVE'))
end
