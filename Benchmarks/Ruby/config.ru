# Runs the original server from the checkout that GBCLOUDBOX_RUBY names.
stand_ins = __dir__
begin
  require 'sinatra/async'
rescue LoadError
  $LOAD_PATH << stand_ins
end
begin
  require 'newrelic_rpm'
rescue LoadError
  $LOAD_PATH << stand_ins
end
require File.join(ENV.fetch('GBCLOUDBOX_RUBY'), 'lib', 'cloud_box')
run CloudBox
