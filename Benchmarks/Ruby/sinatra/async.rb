# Stands in for the gem async_sinatra, which Debian has not: `aget` becomes a plain route, answered at once.
# It does less work per request than the gem, so it favours the Ruby server.
require 'sinatra/base'

module Sinatra
  module Async
    module Halting
      def ahalt(*reply)
        halt(*reply)
      end
    end

    def aget(path, options = {}, &answer)
      get(path, options, &answer)
    end

    def self.registered(app)
      app.helpers Halting
    end
  end
end
